import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { cancelFile } from '../../functions/files/cancel.ts';
import { deleteFile } from '../../functions/files/delete.ts';
import { deleteIndex } from '../../functions/indexes/delete.ts';
import { recordEvents } from '../../shared/events/index.ts';
import { failJob, filesWrite } from '../../shared/files/index.ts';
import { logSend } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { assertInvariants } from './invariants.ts';
import { liveBefore } from './life.ts';
import type { FileSpec } from './stubs.ts';
import { type Fault, type Upload, TestApp } from './test-app.ts';

const spec = { pages: 2, texts: { 1: 'a note', 2: 'another note' }, pictures: {}, broken: null };

let app: TestApp;
before(async () => {
  app = await TestApp.open();
});
after(() => app.close());

const cancel = async (upload: Upload): Promise<void> => {
  const { indexId, jobId } = upload.address;
  await app.call(cancelFile, { index_id: indexId, job_id: jobId });
  upload.cancelled = true;
};

/** Tokens in the books, and those of each job. */
const counted = async (...uploads: readonly Upload[]) => {
  const tasks = await Promise.all(uploads.map(({ address }) => app.tasks(address)));
  return {
    books: (await app.index()).usage.totals.embedding_tokens,
    jobs: tasks.map((some) => some.reduce((sum, { tokens, lateTokens }) => sum + tokens + lateTokens, 0)),
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
  await app.call(deleteIndex, { index_id: app.indexId });
  await app.work(['log', 'deletions']);
};

/** What is left of a file and of the index that it was for. */
const kept = async ({ address }: Upload): Promise<readonly unknown[]> => [
  ...(await app.tasks(address)),
  ...((await app.job(address)) === null ? [] : ['job']),
  ...(await app.objects(`uploads/${address.organizationId}/`)),
  ...(await app.objects(`batches/${address.organizationId}/`)),
];

describe('tasks that end while a run works on them', { concurrency: false, timeout: 240_000 }, () => {
  for (const moment of ['before', 'after']) {
    it(`a task counts its tokens if the model responds ${moment} its job is in the usage ledger`, async () => {
      await app.reset();
      const first = await app.upload(spec);
      app.before('embedder.embed', async () => {
        await cancel(first);
        if (moment === 'after') await app.work(['log']);
      });
      await app.work();
      assert.deepEqual([(await app.job(first.address))?.status, app.models.tokens], ['cancelled', 2]);
      assert.deepEqual(await counted(first), { books: 2, jobs: [2] });
      // The usage ledger counts all tokens that the model has read, whichever job pays for them.
      const second = await app.upload(spec);
      await app.settle();
      assert.deepEqual(await counted(first, second), { books: app.models.tokens, jobs: [2, 2] });
      await assertInvariants(app);
      // What is kept has been paid for.
      const third = await app.upload(spec);
      await app.settle();
      assert.deepEqual(await counted(second, third), { books: 4, jobs: [2, 0] });
    });
  }

  it('a task counts its tokens after its records are deleted', async () => {
    await app.reset();
    const upload = await app.upload(spec);
    const { indexId, jobId } = upload.address;
    app.before('embedder.embed', async () => {
      await app.callDuring(deleteFile, { index_id: indexId, job_id: jobId });
    });
    await app.work();
    await app.settle();
    assert.deepEqual(await kept(upload), []);
    assert.deepEqual([(await counted()).books, app.models.tokens], [2, 2]);
  });

  it('a task counts its late tokens once, at whichever request after that its run dies', async () => {
    const runUntil = async (fault: Fault | null) => {
      await app.reset();
      const upload = await app.upload(spec);
      await app.work(['plan']);
      app.before('embedder.embed', () => cancel(upload));
      const calls = await app.withFault(fault, () => app.work(['tasks']));
      return { upload, calls };
    };
    const { calls } = await runUntil(null);
    await app.settle();
    const counts = calls.lastIndexOf('UpdateItem test-indexes') + 1;
    assert.ok(counts > 0);
    for (let call = counts; call <= calls.length; call += 1) {
      const { upload } = await runUntil({ call, verdict: 'dies after' });
      await app.settle();
      assert.equal((await counted(upload)).books, 2, calls[call - 1]);
      await assertInvariants(app);
    }
  });

  it('a task of a deleted index stops between two groups of texts and leaves nothing', async () => {
    await app.reset();
    const upload = await app.upload(book);
    await app.work(['plan']);
    app.beforeAll('embedder.embed', dropIndex);
    await app.work();
    // Two groups are on their way at a time.
    assert.ok(app.models.tokens <= 2 * 64, `${app.models.tokens} texts were read`);
    await app.settle();
    assert.deepEqual(await kept(upload), []);
  });

  it('an ended task is in the event of its job as of that time, and is counted with all its usage', async () => {
    await app.reset();
    const upload = await app.upload({
      pages: 4,
      texts: {},
      pictures: { 1: 'a', 2: 'b', 3: 'c', 4: 'd' },
      broken: null,
    });
    const { runtime } = app;
    const deps = makeDeps({ files: filesWrite, events: recordEvents('files'), log: logSend }, runtime);
    // As if the run that ends the job has not reached its tasks yet.
    const files = { ...deps.files, closeTasks: () => Promise.reject(new Error('it dies')) };
    const failNow = async (): Promise<void> => {
      const job = await app.job(upload.address);
      assert.ok(job !== null);
      const reason = { error: 'Another task failed', code: 'processing_failed' } as const;
      await assert.rejects(failJob({ ...deps, files }, job, reason, runtime.clock));
    };
    const atReading = (act: () => Promise<unknown>) => async () => app.before('ocr.recognize', act);
    // Two are read at a time: with the third, one is charged.
    app.before('ocr.recognize', atReading(atReading(failNow)));
    await app.settle();
    const told = (await app.job(upload.address))?.processing;
    assert.ok(
      told !== null && told !== undefined && told.ocr_credits > 0 && told.ocr_credits < 4,
      JSON.stringify(told),
    );
    assert.equal((await app.index()).usage.totals.ocr_credits, 4);
    await assertInvariants(app);
  });

  it('an ended task keeps the steps of the run that was working on it', async () => {
    await app.reset();
    const upload = await app.upload({ pages: 2, texts: {}, pictures: { 1: 'a', 2: 'b' }, broken: null });
    app.before('ocr.recognize', () => cancel(upload));
    await app.settle();
    const [task] = await app.tasks(upload.address);
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
    await assertInvariants(app);
  });

  it('a task stores nothing for an index that is deleted while its rows are stored', async () => {
    await app.reset();
    const upload = await app.upload(spec);
    app.before('S3.PUT 000001.json', dropIndex);
    await app.work();
    await app.settle();
    assert.deepEqual(await kept(upload), []);
  });

  it('a task stores nothing for a job that is cancelled while its rows are stored', async () => {
    await app.reset();
    const upload = await app.upload(spec);
    app.before('S3.PUT 000001.json', () => cancel(upload));
    await app.work();
    const { organizationId } = upload.address;
    assert.deepEqual(await app.objects(`batches/${organizationId}/`), []);
    await app.settle();
    await assertInvariants(app);
  });

  it('a task never ends before its creation and start, even if a run intervenes', async () => {
    await app.reset();
    const { address } = await app.upload(spec);
    await app.work(['plan']);
    const [task] = await app.tasks(address);
    assert.ok(task !== undefined);
    const after = (seconds: number) => new Date(Date.parse(task.createdAt) + seconds * 1000).toISOString();
    const { files } = makeDeps({ files: filesWrite }, app.runtime);
    const close = (at: string) =>
      files.closeTasks(address.organizationId, address.jobId, { status: 'cancelled', at, error: null });
    const ended = async () =>
      (await app.tasks(address)).map(({ status, startedAt, completedAt }) => [status, startedAt, completedAt]);

    const start = () => files.startTask(task, { invocationId: 'run', at: after(2) });
    await liveBefore('UpdateItem test-files', start, () => close(after(1)));
    assert.deepEqual(await ended(), [['cancelled', after(2), after(2)]]);
    await close(after(3));
    assert.deepEqual(await ended(), [['cancelled', after(2), after(2)]]);

    await files.removeTasks(address.organizationId, address.jobId);
    await files.addTask(task);
    await close(after(-1));
    assert.deepEqual(await ended(), [['cancelled', null, after(0)]]);
    await app.settle();
  });
});
