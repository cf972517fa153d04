import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWriter } from '../../shared/platform/engine/lance/open-writer.ts';
import type { IndexRef } from '../../shared/platform/engine/port.ts';
import { openCountedStore } from '../support/counted-store.ts';
import { makeRow } from './support/index-bench.ts';

const at = (version: number): IndexRef => ({
  dimensions: 8,
  metric: 'cosine',
  nonFilterableKeys: [],
  layers: [{ table: 'rows', version }],
});

const rowsFrom = (first: number) =>
  Array.from({ length: 100 }, (_, offset) =>
    makeRow(
      `row${first + offset}`,
      Array.from({ length: 8 }, (__, axis) => 1 + (((first + offset) * (axis + 3)) % 17)),
    ),
  );

test('a commit of new rows reads the ids of each fragment once, and nothing else of the table', async (context) => {
  const store = await openCountedStore();
  context.after(() => store.close());
  const writer = openWriter(store.location());
  let { version } = await writer.create(at(0));
  const commit = async (first: number): Promise<void> => {
    ({ version } = (await writer.commit(at(version), [{ kind: 'upsert', rows: rowsFrom(first) }])).state);
  };
  const cost = async (first: number): Promise<Record<string, number>> => {
    const lines = await store.count(() => commit(first));
    return Object.fromEntries(
      lines.map((line) => {
        const [method = '', count] = line.split(' ');
        return [method, Number(count)];
      }),
    );
  };
  // The first ones of a writer also read what it has nothing of yet.
  await commit(0);
  await commit(500);
  const costs = [await cost(1_000), await cost(2_000), await cost(3_000), await cost(4_000)];
  const [{ GET: first = 0, PUT: puts } = {}] = costs;
  assert.ok(first > 0);
  assert.deepEqual(
    costs,
    costs.map((_, fragments) => ({ GET: first + fragments, PUT: puts })),
  );
  const again = await cost(1_000);
  assert.ok(
    (again['GET'] ?? 0) > first + costs.length,
    'rows that were replaced are asked for, to know what they were',
  );
});
