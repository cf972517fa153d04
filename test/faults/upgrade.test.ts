import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { replaceFile } from '../../functions/files/replace.ts';
import { assertInvariants, assertRunsTold } from './invariants.ts';
import { type FileSpec, reader } from './stubs.ts';
import { type Upload, TestApp } from './test-app.ts';

const outdated = 'The service was updated while it read this file: upload it again';

let app: TestApp;
before(async () => {
  app = await TestApp.open();
});
after(() => app.close());
beforeEach(() => app.reset());

/** A file of two tasks, each of which has a text and a picture. */
const edition = (name: string): FileSpec => ({
  pages: 60,
  texts: { 1: `${name}, page 1`, 60: `${name}, page 60` },
  pictures: { 2: `${name}, plate 1`, 59: `${name}, plate 2` },
  broken: null,
});

const endOf = async ({ address }: Upload) => {
  const job = await app.job(address);
  const tasks = await app.tasks(address);
  return {
    job: [job?.status, job?.error, job?.vectorsWritten],
    tasks: tasks.map(({ status, vectorsWritten }) => [status, vectorsWritten]),
  };
};

/** Lets the second task of a file be read by a reader that cuts it otherwise, once the first has got so far. */
const upgradeOnceFirstIs = async (stage: 'read' | 'committed'): Promise<void> => {
  await app.work(['plan']);
  app.fakeQueues.collect();
  const [, second] = app.fakeQueues.queueMessages.filter(({ queue }) => queue === 'tasks');
  assert.ok(second !== undefined);
  second.visibleMs += 2 * 3600 * 1000;
  await app.work(stage === 'read' ? ['tasks'] : undefined);
  reader.cut = 'second';
  if (stage === 'read') {
    app.cloud.advance(2 * 3600);
    await app.work(['tasks']);
  }
};

describe('upgrades while files are read', { concurrency: false, timeout: 120_000 }, () => {
  for (const stage of ['read', 'committed'] as const) {
    it(`a file that a new reader cuts differently fails, and the rows of a task that was ${stage} are removed`, async () => {
      const upload = await app.upload(edition('Atlas'));
      await upgradeOnceFirstIs(stage);
      const done = stage === 'committed' ? 1 : 0;
      assert.equal((await app.job(upload.address))?.done.size, done);
      await app.settle();
      assert.deepEqual(await endOf(upload), {
        job: ['failed', outdated, 0],
        tasks: [
          [done === 1 ? 'completed' : 'failed', 0],
          ['failed', 0],
        ],
      });
      assert.deepEqual(await app.rows(), []);
      // What the first task has used is counted, once.
      const used = await app.used(upload.address);
      assert.deepEqual([used('ocr_credits'), used('embedding_tokens')], [1, app.models.tokens]);
      assert.deepEqual(app.models.readings, ['Atlas, plate 1']);
      await assertInvariants(app);
      await assertRunsTold(app);
    });

    it(`a replacement that a new reader cuts differently leaves the old rows unchanged if a task was ${stage}`, async () => {
      const first = await app.upload(edition('Atlas'));
      await app.work();
      const rows = await app.rows();
      const second = await app.upload(edition('New atlas'), replaceFile, first.address);
      await upgradeOnceFirstIs(stage);
      await app.settle();
      assert.deepEqual((await endOf(second)).job, ['failed', outdated, 0]);
      assert.equal((await app.job(first.address))?.status, 'completed');
      assert.deepEqual(await app.rows(), rows);
      await assertInvariants(app);
    });
  }

  it('a file that a new reader cuts in the same way completes', async () => {
    const upload = await app.upload(edition('Atlas'));
    await app.work(['plan', 'tasks']);
    assert.equal(
      (await app.tasks(upload.address)).every(({ saved }) => saved),
      true,
    );
    reader.cut = 'second';
    await app.settle();
    assert.deepEqual((await endOf(upload)).job, ['completed', null, 4]);
    await assertInvariants(app);
  });

  for (const [name, before, now] of [
    ['fewer', { cut: 'first', pages: 60 }, { cut: 'second', pages: 40 }],
    ['more', { cut: 'first', pages: 40 }, { cut: 'second', pages: 60 }],
    ['other', { cut: 'same', pages: 30 }, { cut: 'same', pages: 60 }],
  ] as const) {
    it(`a file whose plan crashed fails if the new version divides it into ${name} tasks`, async () => {
      Object.assign(reader, before);
      await app.upload(edition('Atlas'));
      const calls = await app.withFault(null, () => app.work(['plan']));
      const lastTask = calls.lastIndexOf('PutItem test-files') + 1;
      const upload = await app.upload(edition('Almanac'));
      await app.withFault({ call: lastTask, verdict: 'dies after' }, () => app.work(['plan']));
      assert.equal((await app.job(upload.address))?.status, 'queued');
      assert.equal((await app.tasks(upload.address)).length, before.pages > 50 ? 2 : 1);
      Object.assign(reader, now);
      await app.settle();
      const end = await endOf(upload);
      assert.deepEqual(end.job, ['failed', outdated, 0]);
      assert.deepEqual(new Set(end.tasks.flat()), new Set(['failed', 0]));
      const rows = await app.rows();
      assert.ok(rows.every(({ jobId }) => jobId !== upload.address.jobId));
    });
  }

  it('the only task of a file reads all of it, even if a new reader cuts it differently', async () => {
    const texts = { 1: 'one', 2: 'two', 3: 'three' };
    reader.pages = 1;
    const upload = await app.upload({ pages: 3, texts, pictures: {}, broken: null });
    await app.work(['plan']);
    Object.assign(reader, { cut: 'second', pages: Infinity });
    await app.settle();
    assert.deepEqual((await endOf(upload)).job, ['completed', null, 3]);
    await assertInvariants(app);
  });
});
