import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { toAttributes } from '../../shared/db/attribute-values.ts';
import { openTable } from '../../shared/db/table.ts';
import { newId } from '../../shared/kernel/ids.ts';
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

/** OCR credits in the counter of a task's month, with the steps that are not complete. */
const countedBy = async (task: QuotaTask) => {
  const counter = await counterOf(task);
  return [counter?.['ocr_reserved'] ?? 0, counter?.['in_transit'] ?? null];
};

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
  assert.deepEqual(await countedBy(first), [15_000, null]);
  assert.equal((await quota.unsettled(job)).size, 0);
});

test('tasks whose runs die in the middle of a reservation keep the counter bounded, and lose nothing', async () => {
  const tasks = Array.from({ length: 100 }, () => newTask({ ...newJob(), organizationId: 'org_dying' }));
  const sizes: number[] = [];
  for (const task of tasks) {
    // The counter has grown, and the reservation is not stored.
    await cloud.dieAt({ request: 3, kind: 'not applied' }, () => quota.reserve(task, 'ocr', 1, 1_000));
    sizes.push(((await countedBy(task))[1] as ReadonlySet<string> | null)?.size ?? 0);
  }
  assert.ok(Math.max(...sizes) <= 65, `${Math.max(...sizes)} steps in transit`);
  for (const task of tasks) assert.notEqual((await quota.reserve(task, 'ocr', 1, 1_000)).outcome, 'refused');
  for (const task of tasks) await quota.settle(task, usedOcr(1));
  const [last] = tasks.slice(-1);
  assert.ok(last !== undefined);
  assert.deepEqual(await countedBy(last), [100, null]);
});

test('a reservation is made and settled once, at whichever request its run dies', async () => {
  const points = await everyPoint({ step: 1 }, async (fault) => {
    const task = newTask();
    const life = async (): Promise<void> => {
      await quota.reserve(task, 'ocr', 7, 10);
      await quota.settle(task, usedOcr(4));
    };
    const died = await cloud.dieAt(fault, life);
    assert.ok(Number((await countedBy(task))[0]) <= 10);
    await life();
    await life();
    assert.deepEqual(await countedBy(task), [4, null]);
    assert.deepEqual(await quota.reserve(newTask(task), 'ocr', 6, 10), taken);
    return died;
  });
  assert.ok(points > 10, `${points} points`);
});

test('a run that died keeps no credits from others if its task is settled', async () => {
  await everyPoint({ step: 1 }, async (fault) => {
    const task = newTask();
    const died = await cloud.dieAt(fault, () => quota.reserve(task, 'ocr', 7, 10));
    await quota.settle(task, usedOcr(0));
    await quota.settle(task, usedOcr(0));
    assert.deepEqual(await countedBy(task), [0, null]);
    return died;
  });
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
    assert.deepEqual(await countedBy(first), [24, null], `round ${round}`);
    await Promise.all([...tasks, ...tasks].map((task) => quota.settle(task, usedOcr(1))));
    cloud.turns.shuffle(null);
    assert.deepEqual(await countedBy(first), [8, null], `round ${round}`);
  }
});
