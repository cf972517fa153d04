import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openReader } from '../src/lance/open-reader.ts';
import { openWriter } from '../src/lance/open-writer.ts';
import type { IndexRef } from '../src/port.ts';
import { openCountedStore } from '../../../test/support/counted-store.ts';
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

test('the number of requests of maintenance does not depend on the distinct metadata values', async (context) => {
  const store = await openCountedStore();
  context.after(() => store.close());
  const writer = openWriter(store.location());
  const costWith = async (table: string, valueOf: (row: number) => number): Promise<number> => {
    const ref = (version: number): IndexRef => ({ ...at(version), layers: [{ table, version }] });
    let { version } = await writer.create(ref(0));
    const commit = async (batch: number): Promise<void> => {
      const rows = makeRows(
        1_000,
        (row) => [vectorOf(row), '', { number: valueOf(400 * batch + row) }],
        `${batch} and `,
      );
      ({ version } = (await writer.commit(ref(version), [{ kind: 'upsert', rows }])).state);
    };
    const maintain = async (): Promise<void> => {
      ({ version } = (await writer.maintain(ref(version), { keepSeconds: 180, keepVersions: [] }, null)).state);
    };
    await commit(0);
    await maintain();
    await commit(1);
    const counts = await store.count(maintain);
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  };
  const few = await costWith('few', () => 1);
  const many = await costWith('many', (row) => row);
  assert.ok(many <= few + 10, `${many} requests with a value for each row, ${few} with one for all`);
});

test('maintenance rebuilds the metadata index after a run that died without it', async (context) => {
  const store = await openCountedStore();
  context.after(() => store.close());
  const { uri, storageOptions } = store.location();
  const writer = openWriter(store.location());
  const { version } = await writer.create(at(0));
  const rows = makeRows(10, (row) => [vectorOf(row), '', { number: row }], 'row ');
  const { state } = await writer.commit(at(version), [{ kind: 'upsert', rows }]);
  const { connect } = await import('@lancedb/lancedb');
  const table = await (await connect(uri, { storageOptions: { ...storageOptions } })).openTable('rows');
  const names = async (): Promise<readonly string[]> => {
    await table.checkoutLatest();
    return (await table.listIndices()).map(({ name }) => name).toSorted();
  };
  const before = await names();
  await table.dropIndex('kv_groups_idx');
  const count = async (ref: IndexRef): Promise<number> =>
    openReader(store.location()).count(ref, { number: { $gte: 5 } });
  assert.equal(await count(at(await table.version())), 5);
  const maintained = await writer.maintain(at(state.version), { keepSeconds: 180, keepVersions: [] }, null);
  assert.deepEqual(await names(), before);
  assert.equal(await count(at(maintained.state.version)), 5);
});
