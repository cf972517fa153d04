import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertInvariants, assertRunsTold } from './invariants.ts';
import type { Letter } from './mailbox.ts';
import { type Upload, World } from './world.ts';

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());
beforeEach(() => world.reset());

const statusOf = async ({ address }: Upload) => (await world.job(address))?.status;

/** What waits in the log, in order. */
const inLog = (): readonly Letter[] => {
  world.mailbox.collect();
  return world.mailbox.letters.filter(({ queue }) => queue === 'log');
};

describe('a message that has no attempt left', { concurrency: false, timeout: 120_000 }, () => {
  for (const queue of ['plan', 'tasks', 'log'] as const) {
    it(`takes nothing from a job that goes on, where it was one too many in ${queue}`, async () => {
      const upload = await world.upload({ pages: 60, texts: { 1: 'one', 60: 'two' }, pictures: {}, broken: null });
      await world.work(['plan', 'tasks']);
      const [, later] = inLog();
      assert.ok(later !== undefined);
      later.visibleMs += 2 * 3600 * 1000;
      await world.work();
      assert.equal((await world.job(upload.address))?.done.size, 1);
      const { jobId } = upload.address;
      const first = world.mailbox.sent.find((one) => one.queue === queue && JSON.stringify(one.body).includes(jobId));
      assert.ok(first !== undefined);
      world.mailbox.letters.unshift({ ...first, receives: 1_000, held: false });
      await world.work();
      assert.equal(await statusOf(upload), 'processing');
      await world.settle();
      assert.equal(await statusOf(upload), 'completed');
      await assertInvariants(world);
      await assertRunsTold(world);
    });
  }
});
