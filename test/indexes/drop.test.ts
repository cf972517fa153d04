import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { deleteIndex } from '../../functions/indexes/delete.ts';
import { indexDeleter } from '../../functions/workers/index-deleter/worker.ts';
import { indexWriter } from '../../functions/workers/index-writer/worker.ts';
import { sweepFiles } from '../../functions/workers/sweep-files/schedule.ts';
import { openTable } from '../../shared/db/table.ts';
import { addressOfJob, filesWrite, toProcessing } from '../../shared/files/index.ts';
import { inParallel } from '../../shared/kernel/in-parallel.ts';
import { DeletionMessage, indexesRead, type IndexRecord } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { uploadKey } from '../../shared/kernel/content-keys.ts';
import { contentReader, contentWriter } from '../../shared/platform/aws/content.ts';
import { monthOf, usageRead } from '../../shared/usage/index.ts';
import { type TestApp, openTestApp } from '../support/test-app.ts';
import { call, person } from '../support/call.ts';
import { textJob } from '../support/text-job.ts';
import { textTask } from '../support/text-task.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp();
});
after(() => app.close());

const uses = {
  indexes: indexesRead,
  files: filesWrite,
  content: contentReader(),
  stored: contentWriter({ puts: ['uploads'] }),
  usage: usageRead,
};
const tokensOfEach = 3;

/** An index with so many jobs that have not ended and of which each has used something, and with the file of one. */
const indexWithJobs = async (count: number) => {
  app.useNewOrganization();
  const id = await app.newIndex();
  const index = await app.record(id);
  const { organizationId } = index;
  const { files, stored } = makeDeps(uses, app.cloud.runtime);
  const at = app.cloud.runtime.clock.now();
  const jobs = Array.from({ length: count }, () => textJob(at, { organizationId, indexId: id }));
  await inParallel(jobs, 20, async (job) => {
    await files.add(job);
    const task = textTask(job);
    await files.addTask(task);
    await files.noteTokens(task, { group: 'a', tokens: tokensOfEach });
  });
  const objectKey = uploadKey({ organizationId, indexId: id, jobId: jobs[0]?.id ?? 'job' });
  await stored.put(index.region, objectKey, Buffer.from('a file'), 'text/plain');
  return { index, objectKey };
};

/** What is left of the jobs of an index, and what the books say that it has used. */
const leftOf = async ({ organizationId, id, region }: IndexRecord, objectKey: string) => {
  const { indexes, content, usage } = makeDeps(uses, app.cloud.runtime);
  const table = openTable(app.cloud.runtime, 'files');
  const partition = `INDEX#${organizationId}#${id}`;
  const month = monthOf(app.cloud.runtime.clock.now().toISOString());
  const totals = (await usage.indexMonth(organizationId, month, id))?.dayEnds.values().toArray().at(-1)?.totals;
  return {
    index: (await indexes.get(organizationId, id))?.status ?? 'gone',
    jobs: await table.count(partition),
    uncounted: await table.count(partition, { where: { counted: { exists: false } } }),
    objects: (await content.head(region, objectKey)) === null ? 0 : 1,
    tokens: totals?.embedding_tokens ?? 0,
  };
};

const nothingLeft = { index: 'gone', jobs: 0, uncounted: 0, objects: 0 };

const asked = async (): Promise<readonly DeletionMessage[]> =>
  (await app.cloud.bodies('deletions')).map((body) => DeletionMessage.parse(body));

/** Requests the deletion of an index. Returns the message to the worker that deletes it. */
const askFor = async ({ id }: IndexRecord): Promise<DeletionMessage> => {
  const { organizationId } = await app.record(id);
  const { status } = await call(app.cloud.runtime, deleteIndex, person(organizationId, 'owner'), {
    path: { index_id: id },
  });
  assert.equal(status, 204);
  await app.cloud.drain(indexWriter);
  const [message] = await asked();
  assert.ok(message !== undefined);
  return message;
};

const handle = (message: DeletionMessage, remainingMs = 120_000) =>
  indexDeleter.handle({
    deliveries: [{ message, messageId: 'deletion', attempt: 1 }],
    deps: makeDeps(indexDeleter.uses, app.cloud.runtime),
    run: { ...app.cloud.run(), remainingMs: () => remainingMs },
  });

describe('the removal of an index with many jobs', { concurrency: false, timeout: 120_000 }, () => {
  /** Kills each run at a request until one is through; how many jobs, and how many to be counted, each has left. */
  const killEach = async (
    { index, objectKey }: Awaited<ReturnType<typeof indexWithJobs>>,
    request: number,
  ): Promise<readonly number[]> => {
    const message = await askFor(index);
    const lefts = [Infinity];
    for (let isKilled = true; isKilled;) {
      const kind = lefts.length % 2 === 0 ? 'not applied' : 'reply lost';
      isKilled = await app.cloud.dieAt({ request, kind }, () => handle(message));
      const left = await leftOf(index, objectKey);
      const toDo = left.jobs + left.uncounted;
      assert.ok(toDo < (lefts.at(-1) ?? 0) || toDo === 0, `${toDo} after ${lefts.join(', ')}`);
      lefts.push(toDo);
    }
    return lefts;
  };

  it('comes to its end although every run is killed while it counts them, and counts each once', async () => {
    const made = await indexWithJobs(110);
    const lefts = await killEach(made, 300);
    assert.ok(lefts.length > 4, lefts.join(', '));
    assert.deepEqual(await leftOf(made.index, made.objectKey), { ...nothingLeft, tokens: 110 * tokensOfEach });
  });

  it('comes to its end although they are more than a run has the time to read', async () => {
    const made = await indexWithJobs(0);
    const { organizationId, id: indexId } = made.index;
    const { files } = makeDeps(uses, app.cloud.runtime);
    const at = app.cloud.runtime.clock.now();
    // A request reads 1 MiB of them: three.
    const metadata = { note: 'x'.repeat(300 * 1024) };
    const jobs = Array.from({ length: 60 }, () => ({ ...textJob(at, { organizationId, indexId }), metadata }));
    await inParallel(jobs, 20, async (job) => {
      await files.add(job);
      await files.markCounted(addressOfJob(job), toProcessing(job, [], job.createdAt));
    });
    const lefts = await killEach(made, 36);
    assert.ok(lefts.length > 4, lefts.join(', '));
    assert.deepEqual(await leftOf(made.index, made.objectKey), { ...nothingLeft, tokens: 0 });
  });

  it('continues in another run if one has little time left, without a further request', async () => {
    const { index, objectKey } = await indexWithJobs(230);
    const message = await askFor(index);
    app.cloud.advance(1_500);
    // The second time it comes because the run died after it had asked for another.
    for (const jobs of [130, 30]) {
      assert.deepEqual(await handle(message, 1_000), []);
      const left = await leftOf(index, objectKey);
      assert.deepEqual([left.index, left.jobs, left.uncounted], ['deleting', jobs, jobs]);
    }
    app.cloud.advance(600);
    // The sweep does not request it beside the run that continues.
    await app.cloud.tick(sweepFiles);
    assert.deepEqual(await app.cloud.bodies('log'), []);
    const [next] = await asked();
    assert.ok(next !== undefined);
    assert.deepEqual(await handle(next, 1_000), []);
    assert.deepEqual(await asked(), []);
    assert.deepEqual(await leftOf(index, objectKey), { ...nothingLeft, tokens: 230 * tokensOfEach });
  });

  it('takes them and their files too while a branch reads its table', async () => {
    const { index, objectKey } = await indexWithJobs(3);
    await app.upsert(index.id, [{ id: 'a', vector: [1, 2, 3, 4], text: 'a text' }]);
    const branch = await app.newBranch(index.id);
    await app.work();
    await handle(await askFor(index));
    const left = await leftOf(index, objectKey);
    assert.deepEqual(left, { ...nothingLeft, index: 'deleting', tokens: 3 * tokensOfEach });
    assert.deepEqual(
      (await app.rows(branch)).map(({ id }) => id),
      ['a'],
    );
    await app.call(deleteIndex, { index_id: branch });
    await app.recover();
    assert.equal((await leftOf(index, objectKey)).index, 'gone');
  });
});
