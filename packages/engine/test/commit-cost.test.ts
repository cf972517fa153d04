import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { connect } from '@lancedb/lancedb';
import { bucketStore } from '../src/segments/bucket-store.ts';
import { openCountedStore } from '../../../test/support/counted-store.ts';
import { type Bench, foldingBounds, makeRows, openBench, openEngines } from './support/index-bench.ts';

const vectorOf = (row: number): readonly number[] =>
  Array.from({ length: 8 }, (_, axis) => 1 + ((row * (axis + 3)) % 17));

/** Opens a store whose requests are counted, and engines with nothing in their caches. */
const openStore = async (context: TestContext) => {
  const store = await openCountedStore();
  context.after(() => store.close());
  const { uri, storageOptions } = store.location();
  const objects = bucketStore('us-east-1', store.bucket, 'tables/', store.client);
  return {
    count: store.count,
    connect: () => connect(`${uri}/tables`, { storageOptions: { ...storageOptions } }),
    open: () => openEngines(uri, { storageOptions, objects, bounds: foldingBounds }),
  };
};

const add = (bench: Bench, prefix: string, count = 100, valueOf = (row: number) => row) =>
  bench.upsert(...makeRows(count, (row) => [vectorOf(row), `apple ${row}`, { n: valueOf(row) }], prefix));

test('a commit sends one request, also above a table, of which it only reads the set of rows', async (context) => {
  const { count, open } = await openStore(context);
  const bench = await openBench('', { dimensions: 8, engines: open() });
  for (const prefix of ['first', 'second']) assert.deepEqual(await count(() => add(bench, prefix)), { PUT: 1 });
  await bench.maintain();
  assert.deepEqual(await count(() => add(bench, 'third')), { GET: 1, PUT: 1 });
  // New rows, and rows that are in a segment and in the table.
  for (const prefix of ['fourth', 'third', 'first'])
    assert.deepEqual(await count(() => add(bench, prefix)), { PUT: 1 });
  assert.deepEqual(await count(() => bench.commit({ kind: 'delete', ids: ['fourth1', 'absent'] })), { PUT: 1 });
  assert.equal(bench.state().rows, 399);
});

test('a first search of a table that was folded often sends few more requests than of one that was folded once', async (context) => {
  const { count, open } = await openStore(context);
  const fusion = { method: 'rrf', k: 60, denseWeight: 0.5 } as const;
  const vector = Float32Array.from(vectorOf(3));
  const query = { mode: 'hybrid', vector, text: 'apple', topK: 10, fusion, filter: { n: { $lt: 50 } } } as const;
  const costWith = async (table: string, folds: number): Promise<number> => {
    const bench = await openBench('', { dimensions: 8, engines: open(), table });
    for (let fold = 0; fold < folds; fold += 1) {
      await add(bench, `batch${fold} and `, 800 / folds);
      await bench.maintain();
    }
    const { reader } = open();
    const search = async (): Promise<void> => assert.equal((await reader.search(bench.ref(), query)).length, 10);
    const [first, second] = [await count(search), await count(search)];
    const { GET: again = 0 } = second;
    assert.ok(again < (first['GET'] ?? 0), 'what a search has read of the indexes is kept');
    return first['GET'] ?? 0;
  };
  const [once, often] = [await costWith('once', 1), await costWith('often', 8)];
  assert.ok(once <= 40 && often <= once + 10, `${once} and ${often} requests`);
});

test('the number of requests of a fold does not depend on the distinct metadata values', async (context) => {
  const { count, open } = await openStore(context);
  const costWith = async (table: string, valueOf: (row: number) => number): Promise<number> => {
    const bench = await openBench('', { dimensions: 8, engines: open(), table });
    await add(bench, 'first', 1_000, valueOf);
    await bench.maintain();
    await add(bench, 'second', 1_000, (row) => valueOf(400 + row));
    const counts = await count(() => bench.maintain());
    return Object.values(counts).reduce((sum, requests) => sum + requests, 0);
  };
  const few = await costWith('few', () => 1);
  const many = await costWith('many', (row) => row);
  assert.ok(many <= few + 10, `${many} requests with a value for each row, ${few} with one for all`);
});

test('a fold creates the metadata index after one that died without it', async (context) => {
  const { connect, open } = await openStore(context);
  const bench = await openBench('', { dimensions: 8, engines: open() });
  await add(bench, 'first', 10);
  await bench.maintain();
  const database = await connect();
  const [name = ''] = (await database.listTables()).tables;
  const indexes = async (): Promise<readonly string[]> =>
    (await (await database.openTable(name)).listIndices()).map((index) => index.name).toSorted();
  const before = await indexes();
  await (await database.openTable(name)).dropIndex('kv_groups_idx');
  await add(bench, 'second', 10);
  await bench.maintain();
  assert.deepEqual(await indexes(), before);
  assert.equal(await bench.reader.count(bench.ref(), { n: { $gte: 5 } }), 10);
});
