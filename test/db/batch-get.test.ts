import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTable } from '../../shared/db/table.ts';
import { Cloud } from '../support/emulated-cloud.ts';

const cloud = new Cloud();
before(() => cloud.start());
after(() => cloud.stop());

const usage = openTable(cloud.runtime, 'usage');
const indexes = openTable(cloud.runtime, 'indexes');

const keyOf = (at: number) => ({ pk: 'TOGETHER', sk: String(at).padStart(3, '0') });

/** Returns the result of a function and its requests. */
const counting = async <Result>(work: () => Promise<Result>): Promise<readonly [Result, number]> => {
  cloud.faults.arm(null);
  const result = await work();
  return [result, cloud.faults.count];
};

test('gets of one tick share one BatchGetItem request, also for several tables, duplicates and missing items', async () => {
  await usage.put({ ...keyOf(1), of: 'usage' });
  await indexes.put({ ...keyOf(1), of: 'indexes' });
  const [items, requests] = await counting(() =>
    Promise.all([usage.get(keyOf(1)), indexes.get(keyOf(1)), usage.get(keyOf(2)), usage.get(keyOf(1))]),
  );
  assert.deepEqual(
    items.map((item) => item?.['of'] ?? null),
    ['usage', 'indexes', null, 'usage'],
  );
  assert.equal(requests, 1);
});

test('a single get is one GetItem request and a get of an invalid key is none', async () => {
  const [[alone, impossible], requests] = await counting(async () => [
    await usage.get(keyOf(1)),
    await usage.get({ pk: '', sk: 'x' }),
  ]);
  assert.deepEqual([alone?.['of'], impossible, requests], ['usage', null, 1]);
});

test('a batch has at most 100 gets and unprocessed keys are read again', async () => {
  const text = 'x'.repeat(200_000);
  for (let at = 10; at < 160; at += 1) await usage.put({ ...keyOf(at), at, text });
  const [items, requests] = await counting(() =>
    Promise.all(Array.from({ length: 150 }, (_, at) => usage.get(keyOf(at + 10)))),
  );
  assert.deepEqual(
    items.map((item) => item?.['at']),
    Array.from({ length: 150 }, (_, at) => at + 10),
  );
  // Twenty megabytes in the first hundred. A response contains at most 16.
  assert.ok(requests > 2 && requests < 80, `${requests} requests`);
});

test('a failed batch request fails all of its gets', async () => {
  cloud.faults.arm({ request: 1, kind: 'not applied' });
  const settled = await Promise.allSettled([usage.get(keyOf(1)), indexes.get(keyOf(1))]);
  cloud.faults.arm(null);
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal((await usage.get(keyOf(1)))?.['of'], 'usage');
});
