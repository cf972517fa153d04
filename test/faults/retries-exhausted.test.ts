import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { replaceFile } from '../../functions/files/replace.ts';
import { type IndexRecord, indexesRead, logSend, toWireWrite } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { makeRow } from '../../packages/engine/test/support/index-bench.ts';
import { assertInvariants, assertRunsTold } from './invariants.ts';
import type { QueueMessage } from './fake-queues.ts';
import { type Upload, TestApp } from './test-app.ts';

const daySeconds = 24 * 3600;

let app: TestApp;
before(async () => {
  app = await TestApp.open();
});
after(() => app.close());
beforeEach(() => app.reset());

const note = (text: string) => ({ pages: 1, texts: { 1: text }, pictures: {}, broken: null });

const statusOf = async ({ address }: Upload) => (await app.job(address))?.status;

/** What waits in the log, in order. */
const inLog = (): readonly QueueMessage[] => {
  app.fakeQueues.collect();
  return app.fakeQueues.queueMessages.filter(({ queue }) => queue === 'log');
};

/** Writes one row, later. */
const append = (index: IndexRecord, id: string): Promise<string> => {
  const row = toWireWrite(makeRow(id, Array<number>(8).fill(1)));
  return makeDeps({ log: logSend }, app.runtime).log.append(index, { op: 'upsert', rows: [row], tokens: 0 });
};

/** The head of the log comes without an attempt left. */
const endHeadOfLog = async (): Promise<void> => {
  const [head] = inLog();
  assert.ok(head !== undefined);
  await app.exhaust(head);
  await app.invocation(head).run();
};

/** Lets the next call of that name get no answer. */
const failAt = (call: string): void => app.before(call, () => Promise.reject(new Error('no answer')));

/** Two replacements, one of the other; the run of the second, which begins after so long, dies once it has taken its place. */
const dieInPlace = async (afterSeconds: number): Promise<readonly [Upload, Upload]> => {
  const first = await app.upload(note('the first edition'));
  await app.work();
  const second = await app.upload(note('the second edition'), replaceFile, first.address);
  await app.work(['plan', 'tasks']);
  // Both runs lease room for their rows, since that of an earlier commit has ended.
  app.cloud.advance(61);
  const calls = await app.withFault(null, () => app.work(['log']));
  const third = await app.upload(note('the third edition'), replaceFile, second.address);
  await app.work(['plan', 'tasks']);
  app.cloud.advance(61 + afterSeconds);
  const commit = calls.indexOf('engine.commit') + 1;
  const made = await app.withFault({ call: commit, verdict: 'dies after' }, () => app.work(['log']));
  assert.equal(made.at(-1), 'engine.commit');
  return [second, third];
};

describe('messages with exhausted retries', { concurrency: false, timeout: 120_000 }, () => {
  for (const queue of ['plan', 'tasks', 'log'] as const) {
    it(`a duplicate message with exhausted retries in ${queue} does not change a running job`, async () => {
      const upload = await app.upload({ pages: 60, texts: { 1: 'one', 60: 'two' }, pictures: {}, broken: null });
      await app.work(['plan', 'tasks']);
      const [, later] = inLog();
      assert.ok(later !== undefined);
      later.visibleMs += 2 * 3600 * 1000;
      await app.work();
      assert.equal((await app.job(upload.address))?.done.size, 1);
      const { jobId } = upload.address;
      const first = app.fakeQueues.sent.find((one) => one.queue === queue && JSON.stringify(one.body).includes(jobId));
      assert.ok(first !== undefined);
      app.fakeQueues.queueMessages.unshift({ ...first, receives: 1_000, inFlight: false });
      await app.work();
      assert.equal(await statusOf(upload), 'processing');
      await app.settle();
      assert.equal(await statusOf(upload), 'completed');
      await assertInvariants(app);
      await assertRunsTold(app);
    });
  }

  it('a message with exhausted retries does not fail a job that has replaced another', async () => {
    const [second, third] = await dieInPlace(2 * daySeconds);
    await endHeadOfLog();
    await app.settle();
    assert.deepEqual([await statusOf(second), await statusOf(third)], ['superseded', 'completed']);
    await assertInvariants(app);
  });

  it('a message with exhausted retries ends a job that has replaced another and keeps later writes to its rows', async () => {
    const [second, third] = await dieInPlace(0);
    const index = await app.index();
    const { log } = makeDeps({ log: logSend }, app.runtime);
    const [row] = await app.rows();
    assert.ok(row !== undefined);
    const newId = row.id.replace(second.address.jobId, third.address.jobId);
    await log.append(index, { op: 'delete', ids: [newId] });
    for (let number = 1; number <= 40; number += 1) await append(index, `other ${number}`);
    await endHeadOfLog();
    await app.settle();
    assert.deepEqual([await statusOf(second), await statusOf(third)], ['superseded', 'completed']);
    assert.equal(
      (await app.rows()).some(({ id }) => id === newId),
      false,
    );
  });

  it('a message with exhausted retries counts a job that was replaced before it was counted', async () => {
    await app.upload(note('a file like the next'));
    await app.work(['plan', 'tasks']);
    const calls = await app.withFault(null, () => app.work(['log']));
    const first = await app.upload(note('the first edition'));
    await app.work(['plan', 'tasks']);
    // Without leased room, the next write makes the same calls.
    app.cloud.advance(61);
    const account = calls.lastIndexOf('UpdateItem test-indexes') + 1;
    await app.withFault({ call: account, verdict: 'dies before' }, () => app.work(['log']));
    assert.equal(await statusOf(first), 'completed');
    await app.upload(note('the second edition'), replaceFile, first.address);
    await app.work(['plan', 'tasks']);
    await endHeadOfLog();
    await app.settle();
    const job = await app.job(first.address);
    assert.deepEqual([job?.status, job?.counted], ['superseded', true]);
    await assertInvariants(app);
  });

  for (const [others, failures] of [
    [40, 1],
    [4, 2],
  ] as const) {
    it(`a message with exhausted retries gets the outcome of its change, with ${others} others behind it and ${failures} runs that could not determine it`, async () => {
      const { indexes } = makeDeps({ indexes: indexesRead }, app.runtime);
      const index = await app.index();
      const calls = await app.withFault(null, async () => {
        await append(index, 'one that succeeds');
        await app.work();
      });
      // Without leased room, the next write makes the same calls.
      app.cloud.advance(61);
      const receiptId = await append(index, 'first');
      const [head] = inLog();
      assert.ok(head !== undefined);
      const call = calls.indexOf('UpdateItem test-indexes') + 1;
      await app.withFault({ call, verdict: 'dies before' }, () => app.work());
      await app.exhaust(head);
      for (let number = 1; number <= others; number += 1) await append(index, `other ${number}`);
      if (failures > 1) failAt('engine.commit');
      await app.settle();
      const receipt = await indexes.receipt(index.organizationId, index.id, receiptId);
      assert.deepEqual(receipt, { written: 1, deleted: 0, error: null });
      assert.equal((await app.index()).usage.totals.vectors_written, 2 + others);
    });
  }
});
