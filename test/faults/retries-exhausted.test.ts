import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { replaceFile } from '../../functions/files/replace.ts';
import { type IndexRecord, indexesRead, logSend, toWireWrite } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { makeRow } from '../engine/support/index-bench.ts';
import { assertInvariants, assertRunsTold } from './invariants.ts';
import type { Letter } from './mailbox.ts';
import { type Upload, World } from './world.ts';

const daySeconds = 24 * 3600;

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());
beforeEach(() => world.reset());

const note = (text: string) => ({ pages: 1, texts: { 1: text }, pictures: {}, broken: null });

const statusOf = async ({ address }: Upload) => (await world.job(address))?.status;

/** What waits in the log, in order. */
const inLog = (): readonly Letter[] => {
  world.mailbox.collect();
  return world.mailbox.letters.filter(({ queue }) => queue === 'log');
};

/** Writes one row, later. */
const append = (index: IndexRecord, id: string): Promise<string> => {
  const row = toWireWrite(makeRow(id, Array<number>(8).fill(1)));
  return makeDeps({ log: logSend }, world.runtime).log.append(index, { op: 'upsert', rows: [row], tokens: 0 });
};

/** The head of the log comes without an attempt left. */
const endHeadOfLog = async (): Promise<void> => {
  const [head] = inLog();
  assert.ok(head !== undefined);
  await world.exhaust(head);
  await world.errand(head).run();
  await world.work(['reconcile']);
};

/** Lets the next call of that name get no answer. */
const failAt = (call: string): void => world.before(call, () => Promise.reject(new Error('no answer')));

/** Two replacements, one of the other; the run of the second, which begins after so long, dies once it has taken its place. */
const dieInPlace = async (afterSeconds: number): Promise<readonly [Upload, Upload]> => {
  const first = await world.upload(note('the first edition'));
  await world.work();
  const second = await world.upload(note('the second edition'), replaceFile, first.address);
  await world.work(['plan', 'tasks']);
  const calls = await world.withFault(null, () => world.work(['log']));
  const third = await world.upload(note('the third edition'), replaceFile, second.address);
  await world.work(['plan', 'tasks']);
  world.cloud.advance(afterSeconds);
  const commit = calls.indexOf('engine.commit') + 1;
  const made = await world.withFault({ call: commit, verdict: 'dies after' }, () => world.work(['log']));
  assert.equal(made.at(-1), 'engine.commit');
  return [second, third];
};

describe('messages with exhausted retries', { concurrency: false, timeout: 120_000 }, () => {
  for (const queue of ['plan', 'tasks', 'log'] as const) {
    it(`a duplicate message with exhausted retries in ${queue} does not change a running job`, async () => {
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

  it('a message with exhausted retries does not fail a job that has replaced another', async () => {
    const [second, third] = await dieInPlace(2 * daySeconds);
    for (let round = 1; round <= 2; round += 1) {
      await endHeadOfLog();
      world.cloud.advance(2 * daySeconds);
    }
    await world.settle();
    assert.deepEqual([await statusOf(second), await statusOf(third)], ['superseded', 'completed']);
    await assertInvariants(world);
  });

  it('a message with exhausted retries ends a job that has replaced another and keeps later writes to its rows', async () => {
    const [second, third] = await dieInPlace(0);
    const index = await world.index();
    const { log } = makeDeps({ log: logSend }, world.runtime);
    const [row] = await world.rows();
    assert.ok(row !== undefined);
    const newId = row.id.replace(second.address.jobId, third.address.jobId);
    await log.append(index, { op: 'delete', ids: [newId] });
    for (let number = 1; number <= 40; number += 1) await append(index, `other ${number}`);
    await endHeadOfLog();
    await world.settle();
    assert.deepEqual([await statusOf(second), await statusOf(third)], ['superseded', 'completed']);
    assert.equal(
      (await world.rows()).some(({ id }) => id === newId),
      false,
    );
  });

  it('a message with exhausted retries counts a job that was replaced before it was counted', async () => {
    await world.upload(note('a file like the next'));
    await world.work(['plan', 'tasks']);
    const calls = await world.withFault(null, () => world.work(['log']));
    const first = await world.upload(note('the first edition'));
    await world.work(['plan', 'tasks']);
    const account = calls.lastIndexOf('UpdateItem test-indexes') + 1;
    await world.withFault({ call: account, verdict: 'dies before' }, () => world.work(['log']));
    assert.equal(await statusOf(first), 'completed');
    await world.upload(note('the second edition'), replaceFile, first.address);
    await world.work(['plan', 'tasks']);
    await endHeadOfLog();
    await world.settle();
    const job = await world.job(first.address);
    assert.deepEqual([job?.status, job?.counted], ['superseded', true]);
    await assertInvariants(world);
  });

  for (const [others, failures] of [
    [40, 1],
    [4, 2],
  ] as const) {
    it(`a message with exhausted retries gets the outcome of its change, with ${others} others behind it and ${failures} runs that could not determine it`, async () => {
      const { indexes } = makeDeps({ indexes: indexesRead }, world.runtime);
      const index = await world.index();
      const calls = await world.withFault(null, async () => {
        await append(index, 'one that succeeds');
        await world.work();
      });
      const receiptId = await append(index, 'first');
      const [head] = inLog();
      assert.ok(head !== undefined);
      const call = calls.indexOf('UpdateItem test-indexes') + 1;
      await world.withFault({ call, verdict: 'dies before' }, () => world.work());
      await world.exhaust(head);
      for (let number = 1; number <= others; number += 1) await append(index, `other ${number}`);
      if (failures > 1) failAt('engine.commit');
      await world.settle();
      const receipt = await indexes.receipt(index.organizationId, index.id, receiptId);
      assert.deepEqual(receipt, { written: 1, deleted: 0, error: null });
      assert.equal((await world.index()).usage.totals.vectors_written, 2 + others);
    });
  }
});
