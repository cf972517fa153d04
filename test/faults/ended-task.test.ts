import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { cancelFile } from '../../functions/files/cancel.ts';
import { deleteFile } from '../../functions/files/delete.ts';
import { deleteIndex } from '../../functions/indexes/delete.ts';
import { recordEvents } from '../../shared/events/index.ts';
import { failJob, filesWrite } from '../../shared/files/index.ts';
import { LogMessage, logSend } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { assertInvariants } from './invariants.ts';
import { liveBefore } from './life.ts';
import type { Letter } from './mailbox.ts';
import type { FileSpec } from './stubs.ts';
import { type Upload, World } from './world.ts';

const spec = { pages: 2, texts: { 1: 'a note', 2: 'another note' }, pictures: {}, broken: null };

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

const cancel = async (upload: Upload): Promise<void> => {
  const { indexId, jobId } = upload.address;
  await world.call(cancelFile, { index_id: indexId, job_id: jobId });
  upload.cancelled = true;
};

/** Tokens in the books, and those of each job. */
const counted = async (...uploads: readonly Upload[]) => {
  const tasks = await Promise.all(uploads.map(({ address }) => world.tasks(address)));
  return {
    books: (await world.index()).usage.totals.embedding_tokens,
    jobs: tasks.map((some) => some.reduce((sum, { tokens }) => sum + tokens, 0)),
  };
};

/** A file whose text is many groups of chunks. */
const book: FileSpec = {
  pages: 40,
  texts: Object.fromEntries(
    Array.from({ length: 40 }, (_, page) => [
      page + 1,
      Array.from({ length: 400 }, (_, word) => `Page ${page} tells of comet ${word}.`).join(' '),
    ]),
  ),
  pictures: {},
  broken: null,
};

const dropIndex = async (): Promise<void> => {
  await world.call(deleteIndex, { index_id: world.indexId });
  await world.work(['log']);
};

/** What is left of a file and of the index that it was for. */
const kept = async ({ address }: Upload): Promise<readonly unknown[]> => [
  ...(await world.tasks(address)),
  ...((await world.job(address)) === null ? [] : ['job']),
  ...(await world.objects(`uploads/${address.organizationId}/`)),
  ...(await world.objects(`batches/${address.organizationId}/`)),
];

describe('tasks that end while a run works on them', { concurrency: false, timeout: 240_000 }, () => {
  for (const moment of ['before', 'after']) {
    it(`a task counts its tokens if the model responds ${moment} its job is in the usage ledger`, async () => {
      await world.reset();
      const first = await world.upload(spec);
      world.before('embedder.embed', async () => {
        await cancel(first);
        if (moment === 'after') await world.work(['log']);
      });
      await world.work();
      assert.deepEqual([(await world.job(first.address))?.status, world.models.tokens], ['cancelled', 2]);
      assert.deepEqual(await counted(first), { books: 2, jobs: [2] });
      // Nobody gets for nothing what the model has read, for whoever pays for it.
      const second = await world.upload(spec);
      await world.settle();
      assert.deepEqual(await counted(first, second), { books: world.models.tokens, jobs: [2, 2] });
      await assertInvariants(world);
      // What is kept has been paid for.
      const third = await world.upload(spec);
      await world.settle();
      assert.deepEqual(await counted(second, third), { books: 4, jobs: [2, 0] });
    });
  }

  it('a task counts its tokens after its records are deleted', async () => {
    await world.reset();
    const upload = await world.upload(spec);
    const { indexId, jobId } = upload.address;
    world.before('embedder.embed', async () => {
      await world.callDuring(deleteFile, { index_id: indexId, job_id: jobId });
    });
    await world.work();
    await world.settle();
    assert.deepEqual(await kept(upload), []);
    assert.deepEqual([(await counted()).books, world.models.tokens], [2, 2]);
  });

  it('a task counts its tokens once, however often the usage ledger was unavailable', async () => {
    await world.reset();
    const upload = await world.upload(spec);
    world.before('embedder.embed', () => cancel(upload));
    await world.work(['plan', 'tasks']);
    world.mailbox.collect();
    const isLate = (letter: Letter): boolean => LogMessage.parse(letter.body).change.op === 'count_tokens';
    const late = world.mailbox.letters.filter((letter) => letter.queue === 'log' && isLate(letter));
    for (const letter of late) await world.exhaust(letter, 'handed off');
    assert.equal(late.length, 1);
    await world.settle();
    assert.deepEqual(await counted(upload), { books: 2, jobs: [2] });
  });

  it('a task of a deleted index stops between two groups of texts and leaves nothing', async () => {
    await world.reset();
    const upload = await world.upload(book);
    await world.work(['plan']);
    world.before('embedder.embed', dropIndex);
    await world.work();
    // Two groups are on their way at a time.
    assert.ok(world.models.tokens <= 2 * 64, `${world.models.tokens} texts were read`);
    await world.settle();
    assert.deepEqual(await kept(upload), []);
  });

  it('an ended task is in the event of its job as of that time, and is counted with all its usage', async () => {
    await world.reset();
    const upload = await world.upload({
      pages: 4,
      texts: {},
      pictures: { 1: 'a', 2: 'b', 3: 'c', 4: 'd' },
      broken: null,
    });
    const { runtime } = world;
    const deps = makeDeps({ files: filesWrite, events: recordEvents('files'), log: logSend }, runtime);
    // As where whoever ends the job has not got to its tasks yet.
    const files = { ...deps.files, closeTasks: () => Promise.reject(new Error('it dies')) };
    const failNow = async (): Promise<void> => {
      const job = await world.job(upload.address);
      assert.ok(job !== null);
      const reason = { error: 'Another task failed', code: 'processing_failed' } as const;
      await assert.rejects(failJob({ ...deps, files }, job, reason, runtime.clock));
    };
    const atReading = (act: () => Promise<unknown>) => async () => world.before('ocr.recognize', act);
    // Two are read at a time: with the third, one is charged.
    world.before('ocr.recognize', atReading(atReading(failNow)));
    await world.settle();
    const told = (await world.job(upload.address))?.processing;
    assert.ok(
      told !== null && told !== undefined && told.ocr_credits > 0 && told.ocr_credits < 4,
      JSON.stringify(told),
    );
    assert.equal((await world.index()).usage.totals.ocr_credits, 4);
    await assertInvariants(world);
  });

  it('an ended task keeps the steps of the run that was working on it', async () => {
    await world.reset();
    const upload = await world.upload({ pages: 2, texts: {}, pictures: { 1: 'a', 2: 'b' }, broken: null });
    world.before('ocr.recognize', () => cancel(upload));
    await world.settle();
    const [task] = await world.tasks(upload.address);
    assert.deepEqual(
      [task?.status, task?.trace.map(({ attempt, phase, attributes }) => [attempt, phase, attributes])],
      [
        'cancelled',
        [
          [1, 'content.extract', { pages: 2, ocr_credits: 0 }],
          [1, 'multimodal.credits', { total_credits: 2 }],
          [1, 'content.extract', { failed: true }],
        ],
      ],
    );
    await assertInvariants(world);
  });

  it('a task stores nothing for an index that is deleted while its rows are stored', async () => {
    await world.reset();
    const upload = await world.upload(spec);
    world.before('S3.PUT 000001.json', dropIndex);
    await world.work();
    await world.settle();
    assert.deepEqual(await kept(upload), []);
  });

  it('a task stores nothing for a job that is cancelled while its rows are stored', async () => {
    await world.reset();
    const upload = await world.upload(spec);
    world.before('S3.PUT 000001.json', () => cancel(upload));
    await world.work();
    const { organizationId } = upload.address;
    assert.deepEqual(await world.objects(`batches/${organizationId}/`), []);
    await world.settle();
    await assertInvariants(world);
  });

  it('a task never ends before its creation and start, even if a run intervenes', async () => {
    await world.reset();
    const { address } = await world.upload(spec);
    await world.work(['plan']);
    const [task] = await world.tasks(address);
    assert.ok(task !== undefined);
    const after = (seconds: number) => new Date(Date.parse(task.createdAt) + seconds * 1000).toISOString();
    const { files } = makeDeps({ files: filesWrite }, world.runtime);
    const close = (at: string) =>
      files.closeTasks(address.organizationId, address.jobId, { status: 'cancelled', at, error: null });
    const ended = async () =>
      (await world.tasks(address)).map(({ status, startedAt, completedAt }) => [status, startedAt, completedAt]);

    const start = () => files.startTask(task, { invocationId: 'run', at: after(2) });
    await liveBefore('UpdateItem test-files', start, () => close(after(1)));
    assert.deepEqual(await ended(), [['cancelled', after(2), after(2)]]);
    await close(after(3));
    assert.deepEqual(await ended(), [['cancelled', after(2), after(2)]]);

    await files.removeTasks(address.organizationId, address.jobId);
    await files.addTask(task);
    await close(after(-1));
    assert.deepEqual(await ended(), [['cancelled', null, after(0)]]);
    await world.settle();
  });
});
