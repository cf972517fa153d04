import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileTask } from '../../functions/workers/file-task/worker.ts';
import { plan } from '../../functions/workers/plan/worker.ts';
import { explore, scenarios } from './explore.ts';
import { assertInvariants } from './invariants.ts';
import { simulate } from './simulate.ts';
import { World } from './world.ts';

/** Every so many-th point is one at which it goes wrong; `npm run test:faults` takes all of them. */
const step = 256;
const seeds = [1, 3, 6, 10];

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

describe('what holds, whatever goes wrong', { concurrency: false, timeout: 280_000 }, () => {
  for (const [at, name] of Object.keys(scenarios).entries()) {
    it(`at single calls: ${name}`, async (t) => {
      t.diagnostic(`${await explore(world, name, step, 29 * at + 3)} points`);
    });
  }

  for (const seed of seeds) {
    it(`in a sequence of everything at a time, seed ${seed}`, async (t) => {
      const { calls, faults } = await simulate(world, seed);
      t.diagnostic(`${calls} calls, ${faults} faults`);
    });
  }

  it('dead letters of a job that has been completed take nothing from it', async () => {
    await world.reset();
    const { address } = await world.upload({ pages: 1, texts: { 1: 'a note' }, pictures: {}, broken: null });
    await world.work();
    const sent = world.mailbox.sent.filter(({ queue }) => queue === plan.queue || queue === fileTask.queue);
    for (const letter of sent) world.mailbox.duplicate(letter);
    for (const letter of world.mailbox.letters) letter.dead = true;
    await world.settle();
    assert.equal((await world.job(address))?.status, 'completed');
    await assertInvariants(world);
  });
});
