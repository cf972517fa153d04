import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { deleteFile } from '../../functions/files/delete.ts';
import { getFile } from '../../functions/files/get.ts';
import { listFiles } from '../../functions/files/list.ts';
import { getIndexStats } from '../../functions/indexes/get-stats.ts';
import { filesWrite, removeJobs, removeJobsUses } from '../../shared/files/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { assertInvariants } from './invariants.ts';
import { type Upload, TestApp } from './test-app.ts';

/** Every so many-th call is one at which a deletion dies; `npm run test:faults` takes all of them. */
const step = Number(process.env['FAULT_STEP'] ?? 21);

const spec = { pages: 60, texts: { 1: 'a note', 55: 'another' }, pictures: { 2: 'a plate' }, broken: null };

let app: TestApp;
before(async () => {
  app = await TestApp.open();
});
after(() => app.close());

const completed = async (): Promise<Upload> => {
  const upload = await app.upload(spec);
  await app.work();
  assert.equal((await app.job(upload.address))?.status, 'completed');
  return upload;
};

const pathOf = ({ address }: Upload) => ({ index_id: address.indexId, job_id: address.jobId });

/** What is left of a job, wherever it could be. */
const remains = async ({ address }: Upload): Promise<readonly string[]> => {
  const { organizationId, indexId, jobId } = address;
  const job = await app.job(address);
  return [
    ...(job === null ? [] : [job.status]),
    ...(await app.tasks(address)).map(({ id }) => id),
    ...(await app.rows()).filter((row) => row.jobId === jobId).map(({ id }) => id),
    ...(await app.objects(`uploads/${organizationId}/${indexId}/${jobId}/`)),
    ...(await app.objects(`batches/${organizationId}/${indexId}/${jobId}/`)),
    ...(await app.texts(address)),
  ];
};

/** What callers see of a job. */
const seen = async (upload: Upload) => {
  const path = pathOf(upload);
  const list = (await app.call(listFiles, path)) as unknown as readonly { readonly id: string }[];
  return {
    found: await app.call(getFile, path).then(
      () => true,
      (error: unknown) => !String(error).includes('404'),
    ),
    listed: list.some(({ id }) => id === path.job_id),
    documents: (await app.call(getIndexStats, path))['documents'],
  };
};

const nothingSeen = { found: false, listed: false, documents: 0 };

/** Asks for a deletion when the writer does not get to it in time. */
const askInVain = async (upload: Upload): Promise<void> => {
  const job = await app.job(upload.address);
  assert.ok(job !== null);
  upload.deletion = 'asked';
  await app.noteDeletions();
  const deps = makeDeps(removeJobsUses, app.runtime);
  assert.equal(await removeJobs(deps, [job], app.runtime.clock, performance.now() - 25_000), false);
};

const notes = async (): Promise<number> => {
  const { files } = makeDeps({ files: filesWrite }, app.runtime);
  const later = new Date(app.fakeQueues.nowMs() + 86_400_000);
  return (await files.overdue('removals', later, 100)).length;
};

describe('deletions of jobs', { concurrency: false, timeout: 240_000 }, () => {
  it('the deletion of a job continues after the request timed out, and callers no longer see the job', async () => {
    await app.reset();
    const upload = await completed();
    assert.deepEqual(await seen(upload), { found: true, listed: true, documents: 1 });
    await askInVain(upload);
    assert.deepEqual(await seen(upload), nothingSeen);
    assert.ok((await remains(upload)).length > 3);
    await app.settle();
    assert.deepEqual(await remains(upload), []);
    assert.equal(await notes(), 0);
    await assertInvariants(app);
  });

  it('a repeated deletion of a job joins the first one', async () => {
    await app.reset();
    const upload = await completed();
    await askInVain(upload);
    await app.callDuring(deleteFile, pathOf(upload));
    assert.deepEqual(await remains(upload), []);
    assert.equal(await notes(), 0);
    await assert.rejects(app.call(deleteFile, pathOf(upload)), /404/);
  });

  it('the deletion of a job is requested again if the log has refused it', async () => {
    await app.reset();
    const upload = await completed();
    await askInVain(upload);
    app.fakeQueues.collect();
    for (const queueMessage of app.fakeQueues.queueMessages)
      if (queueMessage.queue === 'log') await app.exhaust(queueMessage);
    await app.settle();
    await app.settle();
    assert.deepEqual(await remains(upload), []);
    assert.equal(await notes(), 0);
    await assertInvariants(app);
  });

  it('the deletion of a job either has no effect or completes, wherever the request crashes', async (t) => {
    const outcomes: string[] = [];
    const dieAt = async (call: number): Promise<number> => {
      if (app.uploads.length >= 6) await app.reset();
      const upload = await completed();
      upload.deletion = 'asked';
      await app.noteDeletions();
      const calls = await app.withFault({ call, verdict: 'dies after' }, () =>
        app.callDuring(deleteFile, pathOf(upload)),
      );
      await app.settle();
      const job = await app.job(upload.address);
      outcomes.push(job === null ? 'gone' : 'there');
      if (job === null) assert.deepEqual(await remains(upload), [], `dead at ${call}`);
      else assert.equal(job.removed, false, `dead at ${call}`);
      assert.equal(await notes(), 0, `dead at ${call}`);
      await assertInvariants(app);
      return calls.length;
    };
    await app.reset();
    const calls = await dieAt(0);
    for (let call = 1; call <= calls; call += step) await dieAt(call);
    assert.deepEqual(new Set(outcomes), new Set(['gone', 'there']));
    // Nothing of a deletion that was begun is taken back.
    assert.equal(outcomes.indexOf('there', outcomes.indexOf('gone', 1)), -1, outcomes.join(' '));
    t.diagnostic(`${outcomes.length} points`);
  });
});
