import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type IndexRecord, indexesRead, logSend, toWireWrite } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { makeRow } from '../../packages/engine/test/support/index-bench.ts';
import { assertInvariants, assertRunsTold } from './invariants.ts';
import { type Poison, TestApp } from './test-app.ts';

const maxSeconds = 300;
const refused = { written: 0, deleted: 0, error: 'The change could not be applied' };
const applied = { written: 1, deleted: 0, error: null };

let app: TestApp;
before(async () => {
  app = await TestApp.open();
});
after(() => app.close());

const append = (index: IndexRecord, id: string): Promise<string> => {
  const row = toWireWrite(makeRow(id, Array<number>(8).fill(1)));
  return makeDeps({ log: logSend }, app.runtime).log.append(index, { op: 'upsert', rows: [row], tokens: 0 });
};

const receiptOf = (index: IndexRecord, id: string) =>
  makeDeps({ indexes: indexesRead }, app.runtime).indexes.receipt(index.organizationId, index.id, id);

/** Begins runs, even after one has died, until `ended`. Returns the seconds that passed. */
const workUntil = async (ended: () => Promise<boolean>): Promise<number> => {
  const startedMs = app.fakeQueues.nowMs();
  for (let runs = 0; runs < 20 && !(await ended()); runs += 1) await app.withFault(null, () => app.work());
  assert.ok(await ended());
  return (app.fakeQueues.nowMs() - startedMs) / 1000;
};

it('a run of the index writer that fails before it reads the index is counted with the file that it was to write', async () => {
  await app.reset();
  const file = await app.upload({ pages: 1, texts: { 1: 'a note' }, pictures: {}, broken: null });
  await app.work(['plan', 'tasks']);
  const [first] = await app.withFault({ call: 1, verdict: 'not applied' }, () => app.work(['log']));
  assert.equal(first, 'GetItem test-indexes');
  await app.settle();
  assert.equal((await app.job(file.address))?.status, 'completed');
  await assertRunsTold(app);
});

describe('poison messages of the index writer', { concurrency: false, timeout: 120_000 }, () => {
  for (const effect of ['throws', 'throttles', 'kills', 'hangs'] as const) {
    it(`a poison message that ${effect} is refused, and the changes behind it are applied within five minutes`, async () => {
      await app.reset();
      const index = await app.index();
      const first = await append(index, 'first');
      const poisoned = await append(index, 'poisoned');
      const behind = [await append(index, 'second'), await append(index, 'third')];
      app.poison = { effect, isHit: (keys) => keys.includes(poisoned) } satisfies Poison;
      const isApplied = async (id: string): Promise<boolean> => (await receiptOf(index, id)) !== null;
      const seconds = await workUntil(async () => (await Promise.all(behind.map(isApplied))).every(Boolean));
      assert.ok(seconds <= maxSeconds, `${seconds} s`);
      await app.settle();
      app.poison = null;
      await app.settle();
      assert.deepEqual(await receiptOf(index, poisoned), refused);
      for (const id of [first, ...behind]) assert.deepEqual(await receiptOf(index, id), applied);
      assert.deepEqual(
        (await app.rows()).map(({ id }) => id),
        ['first', 'second', 'third'],
      );
      assert.equal((await app.index()).usage.totals.vectors_written, 3);
    });

    it(`a poison message with rows of a file that ${effect} fails only that file within five minutes`, async () => {
      await app.reset();
      const index = await app.index();
      const file = await app.upload({ pages: 1, texts: { 1: 'a note' }, pictures: {}, broken: null });
      await app.work(['plan', 'tasks']);
      const [task] = await app.tasks(file.address);
      assert.ok(task !== undefined);
      const behind = await append(index, 'behind');
      app.poison = { effect, isHit: (keys) => keys.some((key) => key.startsWith(task.id)) };
      const seconds = await workUntil(async () => (await receiptOf(index, behind)) !== null);
      assert.ok(seconds <= maxSeconds, `${seconds} s`);
      await app.settle();
      const job = await app.job(file.address);
      assert.deepEqual([job?.status, job?.errorCode], ['failed', 'processing_failed']);
      assert.deepEqual(
        (await app.rows()).map(({ id }) => id),
        ['behind'],
      );
      app.poison = null;
      await assertInvariants(app, { ids: new Set(['behind']), written: 1 });
      await assertRunsTold(app);
    });
  }

  it('a message is applied in order after a throttling of two and a half minutes', async () => {
    await app.reset();
    const index = await app.index();
    const throttled = await append(index, 'throttled');
    const behind = await append(index, 'behind');
    const endsMs = app.fakeQueues.nowMs() + 150_000;
    app.poison = { effect: 'throttles', isHit: () => app.fakeQueues.nowMs() < endsMs };
    const seconds = await workUntil(async () => (await receiptOf(index, behind)) !== null);
    assert.ok(seconds >= 150 && seconds <= maxSeconds, `${seconds} s`);
    for (const id of [throttled, behind]) assert.deepEqual(await receiptOf(index, id), applied);
    assert.deepEqual(
      (await app.rows()).map(({ id }) => id),
      ['behind', 'throttled'],
    );
  });

  it('a poison message does not affect messages received with it', async () => {
    await app.reset();
    const index = await app.index();
    const ids = await Promise.all(Array.from({ length: 9 }, (_, at) => append(index, `row ${at}`)));
    const poisoned = new Set(ids.filter((_, at) => at % 3 === 1));
    app.poison = { effect: 'kills', isHit: (keys) => keys.some((key) => poisoned.has(key)) };
    await workUntil(async () =>
      (await Promise.all(ids.map((id) => receiptOf(index, id)))).every((one) => one !== null),
    );
    for (const id of ids) assert.deepEqual(await receiptOf(index, id), poisoned.has(id) ? refused : applied);
  });

  it('a poison message is refused outside its log if the log cannot determine its outcome', async () => {
    await app.reset();
    const index = await app.index();
    const poisoned = await append(index, 'poisoned');
    const behind = await append(index, 'behind');
    app.poison = { effect: 'kills', isHit: (keys) => keys.includes(poisoned), isHitByReconciliation: true };
    const seconds = await workUntil(async () => (await receiptOf(index, behind)) !== null);
    assert.ok(seconds <= maxSeconds, `${seconds} s`);
    assert.equal(await receiptOf(index, poisoned), null);
    app.poison = null;
    await app.settle();
    assert.deepEqual(await receiptOf(index, poisoned), refused);
    assert.deepEqual(
      (await app.rows()).map(({ id }) => id),
      ['behind'],
    );
  });
});
