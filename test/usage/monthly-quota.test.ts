import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { toAttributes } from '../../shared/db/attribute-values.ts';
import { openTable } from '../../shared/db/table.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { isTransientSdkError } from '../../shared/kernel/sdk-error.ts';
import { inParallel } from '../../shared/kernel/in-parallel.ts';
import { monthlyQuota, type QuotaTask } from '../../shared/usage/index.ts';
import { Cloud } from '../support/emulated-cloud.ts';
import { everyPoint } from '../support/every-point.ts';
import { randomFrom } from '../support/random.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const month = '2026-11';

const newJob = () => {
  const at = cloud.runtime.clock.now();
  return { organizationId: newId('org', at), jobId: newId('job', at), month };
};

const newTask = (job = newJob()): QuotaTask => ({ ...job, id: newId('task', cloud.runtime.clock.now()) });

const counterKey = ({ organizationId }: QuotaTask) => ({ pk: `MONTH#${organizationId}#${month}`, sk: 'CREDITS' });

const counterOf = (task: QuotaTask) => openTable(cloud.runtime, 'usage').get(counterKey(task));

const bytesOf = async (task: QuotaTask): Promise<number> =>
  JSON.stringify(toAttributes((await counterOf(task)) ?? {})).length;

/** OCR credits in the counter of a task's month. */
const countedBy = async (task: QuotaTask) => (await counterOf(task))?.['ocr_reserved'] ?? 0;

const quota = monthlyQuota.make(cloud.runtime);
const usedOcr = (ocr: number) => () => Promise.resolve({ ocr, audio: 0, tokens: 0 });
const taken = { outcome: 'taken' };

test('the item that counts a month keeps its size however many tasks hold credits', async () => {
  const job = newJob();
  const tasks = Array.from({ length: 150 }, () => newTask(job));
  const [first, ...others] = tasks;
  assert.ok(first !== undefined);
  assert.deepEqual(await quota.reserve(first, 'ocr', 100, 100_000), taken);
  const bytes = await bytesOf(first);
  const outcomes = await inParallel(others, 16, (task) => quota.reserve(task, 'ocr', 100, 100_000));
  assert.ok(outcomes.every(({ outcome }) => outcome === 'taken'));
  // Two more digits.
  assert.equal(await bytesOf(first), bytes + 2);
  assert.equal((await quota.unsettled(job)).size, tasks.length);
  await inParallel(tasks, 16, (task) => quota.settle(task, usedOcr(100)));
  assert.deepEqual(await countedBy(first), 15_000);
  assert.equal((await quota.unsettled(job)).size, 0);
});

test('a reservation is made and settled once, at whichever request its run dies', async () => {
  const points = await everyPoint({ step: 1 }, async (fault) => {
    const task = newTask();
    const life = async (): Promise<void> => {
      await quota.reserve(task, 'ocr', 7, 10);
      await quota.settle(task, usedOcr(4));
    };
    const died = await cloud.dieAt(fault, life);
    assert.ok(Number(await countedBy(task)) <= 10);
    await life();
    await life();
    assert.deepEqual(await countedBy(task), 4);
    assert.deepEqual(await quota.reserve(newTask(task), 'ocr', 6, 10), taken);
    return died;
  });
  assert.ok(points > 6, `${points} points`);
});

test('a run that died keeps no credits from others if its task is settled', async () => {
  await everyPoint({ step: 1 }, async (fault) => {
    const task = newTask();
    const died = await cloud.dieAt(fault, () => quota.reserve(task, 'ocr', 7, 10));
    await quota.settle(task, usedOcr(0));
    await quota.settle(task, usedOcr(0));
    assert.deepEqual(await countedBy(task), 0);
    return died;
  });
});

test('a transaction that conflicts with other writes is repeated, and then a transient error', async () => {
  const task = newTask();
  cloud.conflicts = 2;
  assert.deepEqual(await quota.reserve(task, 'ocr', 7, 10), taken);
  cloud.conflicts = 2;
  await quota.settle(task, usedOcr(4));
  assert.deepEqual([cloud.conflicts, await countedBy(task)], [0, 4]);
  cloud.conflicts = 100;
  await assert.rejects(quota.reserve(newTask(task), 'ocr', 1, 10), isTransientSdkError);
  cloud.conflicts = 0;
  assert.equal(await countedBy(task), 4);
});

test('a quota below one reservation refuses it', async () => {
  const task = newTask();
  assert.deepEqual(await quota.reserve(task, 'ocr', 11, 10), { outcome: 'refused', left: 10 });
  assert.equal(await counterOf(task), null);
});

test('runs of the same tasks side by side reserve each task once and never more than the limit', async () => {
  for (let round = 0; round < 6; round += 1) {
    const job = newJob();
    const tasks = Array.from({ length: 12 }, () => newTask(job));
    cloud.turns.shuffle(randomFrom(round));
    const runs = [...tasks, ...tasks].map(async (task) => (await quota.reserve(task, 'ocr', 3, 25)).outcome);
    const outcomes = await Promise.all(runs);
    const [first = newTask()] = tasks;
    assert.equal(outcomes.filter((outcome) => outcome === 'taken').length, 8, `round ${round}`);
    assert.deepEqual(await countedBy(first), 24, `round ${round}`);
    await Promise.all([...tasks, ...tasks].map((task) => quota.settle(task, usedOcr(1))));
    cloud.turns.shuffle(null);
    assert.deepEqual(await countedBy(first), 8, `round ${round}`);
  }
});
