import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { replaceFile } from '../../functions/files/replace.ts';
import { filesWrite } from '../../shared/files/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { assertInvariants, assertRunsTold } from './invariants.ts';
import { type FileSpec, reader } from './stubs.ts';
import { type Upload, World } from './world.ts';

const outdated = 'The service was updated while it read this file: upload it again';

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());
beforeEach(() => world.reset());

/** A file of two tasks, each of which has a text and a picture. */
const edition = (name: string): FileSpec => ({
  pages: 60,
  texts: { 1: `${name}, page 1`, 60: `${name}, page 60` },
  pictures: { 2: `${name}, plate 1`, 59: `${name}, plate 2` },
  broken: null,
});

const endOf = async ({ address }: Upload) => {
  const job = await world.job(address);
  const tasks = await world.tasks(address);
  return {
    job: [job?.status, job?.error, job?.vectorsWritten],
    tasks: tasks.map(({ status, vectorsWritten }) => [status, vectorsWritten]),
  };
};

/** Lets the second task of a file be read by a reader that cuts it otherwise, once the first has got so far. */
const upgradeOnceFirstIs = async (stage: 'read' | 'committed'): Promise<void> => {
  await world.work(['plan']);
  world.mailbox.collect();
  const [, second] = world.mailbox.letters.filter(({ queue }) => queue === 'tasks');
  assert.ok(second !== undefined);
  second.visibleMs += 2 * 3600 * 1000;
  await world.work(stage === 'read' ? ['tasks'] : undefined);
  reader.cut = 'second';
  if (stage === 'read') {
    world.cloud.advance(2 * 3600);
    await world.work(['tasks']);
  }
};

describe('upgrades while files are read', { concurrency: false, timeout: 120_000 }, () => {
  for (const stage of ['read', 'committed'] as const) {
    it(`a file that a new reader cuts differently fails, and the rows of a task that was ${stage} are removed`, async () => {
      const upload = await world.upload(edition('Atlas'));
      await upgradeOnceFirstIs(stage);
      const done = stage === 'committed' ? 1 : 0;
      assert.equal((await world.job(upload.address))?.done.size, done);
      await world.settle();
      assert.deepEqual(await endOf(upload), {
        job: ['failed', outdated, 0],
        tasks: [
          [done === 1 ? 'completed' : 'failed', 0],
          ['failed', 0],
        ],
      });
      assert.deepEqual(await world.rows(), []);
      // What the first task has used is counted, once.
      const used = await world.used(upload.address);
      assert.deepEqual([used('ocr_credits'), used('embedding_tokens')], [1, world.models.tokens]);
      assert.deepEqual(world.models.readings, ['Atlas, plate 1']);
      await assertInvariants(world);
      await assertRunsTold(world);
    });

    it(`a replacement that a new reader cuts differently leaves the old rows unchanged if a task was ${stage}`, async () => {
      const first = await world.upload(edition('Atlas'));
      await world.work();
      const rows = await world.rows();
      const second = await world.upload(edition('New atlas'), replaceFile, first.address);
      await upgradeOnceFirstIs(stage);
      await world.settle();
      assert.deepEqual((await endOf(second)).job, ['failed', outdated, 0]);
      assert.equal((await world.job(first.address))?.status, 'completed');
      assert.deepEqual(await world.rows(), rows);
      await assertInvariants(world);
    });
  }

  it('a file that a new reader cuts in the same way completes, and so does one of an earlier version without that record', async () => {
    const [one, other] = [await world.upload(edition('Atlas')), await world.upload(edition('Almanac'))];
    await world.work(['plan']);
    const { files } = makeDeps({ files: filesWrite }, world.runtime);
    const tasks = await world.tasks(other.address);
    await files.removeTasks(other.address.organizationId, other.address.jobId);
    for (const task of tasks) await files.addTask({ ...task, cut: null });
    await world.work(['tasks']);
    for (const { address } of [one, other])
      assert.equal(
        (await world.tasks(address)).every(({ saved }) => saved),
        true,
      );
    reader.cut = 'second';
    await world.settle();
    for (const upload of [one, other]) assert.deepEqual((await endOf(upload)).job, ['completed', null, 4]);
    await assertInvariants(world);
  });

  for (const [name, before, now] of [
    ['fewer', { cut: 'first', pages: 60 }, { cut: 'second', pages: 40 }],
    ['more', { cut: 'first', pages: 40 }, { cut: 'second', pages: 60 }],
    ['other', { cut: 'same', pages: 30 }, { cut: 'same', pages: 60 }],
  ] as const) {
    it(`a file whose plan crashed fails if the new version divides it into ${name} tasks`, async () => {
      Object.assign(reader, before);
      await world.upload(edition('Atlas'));
      const calls = await world.withFault(null, () => world.work(['plan']));
      const lastTask = calls.lastIndexOf('PutItem test-files') + 1;
      const upload = await world.upload(edition('Almanac'));
      await world.withFault({ call: lastTask, verdict: 'dies after' }, () => world.work(['plan']));
      assert.equal((await world.job(upload.address))?.status, 'queued');
      assert.equal((await world.tasks(upload.address)).length, before.pages > 50 ? 2 : 1);
      Object.assign(reader, now);
      await world.settle();
      const end = await endOf(upload);
      assert.deepEqual(end.job, ['failed', outdated, 0]);
      assert.deepEqual(new Set(end.tasks.flat()), new Set(['failed', 0]));
      const rows = await world.rows();
      assert.ok(rows.every(({ jobId }) => jobId !== upload.address.jobId));
    });
  }

  it('the only task of a file reads all of it, even if a new reader cuts it differently', async () => {
    const texts = { 1: 'one', 2: 'two', 3: 'three' };
    reader.pages = 1;
    const upload = await world.upload({ pages: 3, texts, pictures: {}, broken: null });
    await world.work(['plan']);
    Object.assign(reader, { cut: 'second', pages: Infinity });
    await world.settle();
    assert.deepEqual((await endOf(upload)).job, ['completed', null, 3]);
    await assertInvariants(world);
  });
});
