import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWriter } from '../../shared/platform/engine/lance/open-writer.ts';
import type { IndexRef } from '../../shared/platform/engine/port.ts';
import { openCountedStore } from '../support/counted-store.ts';
import { makeRows } from './support/index-bench.ts';

const at = (version: number): IndexRef => ({
  dimensions: 8,
  metric: 'cosine',
  nonFilterableKeys: [],
  layers: [{ table: 'rows', version }],
});

const vectorOf = (row: number): readonly number[] =>
  Array.from({ length: 8 }, (_, axis) => 1 + ((row * (axis + 3)) % 17));

test('a commit of new rows reads the ids of each fragment once, and nothing else of the table', async (context) => {
  const store = await openCountedStore();
  context.after(() => store.close());
  const writer = openWriter(store.location());
  let { version } = await writer.create(at(0));
  const commit = async (batch: number): Promise<void> => {
    const rows = makeRows(100, (row) => [vectorOf(row), '', {}], `row ${batch} and `);
    ({ version } = (await writer.commit(at(version), [{ kind: 'upsert', rows }])).state);
  };
  const cost = (batch: number) => store.count(() => commit(batch));
  // The first ones of a writer also read what it has nothing of yet.
  await commit(0);
  await commit(1);
  const costs = [await cost(2), await cost(3), await cost(4), await cost(5)];
  const [{ GET: first = 0, PUT: puts } = {}] = costs;
  assert.ok(first > 0);
  assert.deepEqual(
    costs,
    costs.map((_, fragments) => ({ GET: first + fragments, PUT: puts })),
  );
  const again = await cost(2);
  assert.ok(
    (again['GET'] ?? 0) > first + costs.length,
    'rows that were replaced are asked for, to know what they were',
  );
});
