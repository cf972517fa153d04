import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect, Index, type Table } from '@lancedb/lancedb';
import { measureRecall } from '../../../shared/reader/measure-recall.ts';
import { encodeRows } from '../src/lance/encode-rows.ts';
import { targetOf } from '../src/lance/search-table.ts';
import { indexNames } from '../src/lance/table-indexes.ts';
import { isWorn, needsVectorIndex } from '../src/segments/base-table.ts';
import { nearestRows, planProbing } from '../src/lance/vector-query.ts';
import type { IndexRef, Row } from '../src/port.ts';
import {
  foldingBounds,
  makeRow,
  makeRows,
  openBench,
  openEngines,
  seededNumbers,
  testForms,
} from './support/index-bench.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';

/** Returns the name of the table of an index. */
const tableName = (uri: string): string => {
  const [name = ''] = readdirSync(join(uri, 'tables'));
  return name.slice(0, -'.lance'.length);
};

/** Opens the table of an index at its newest version. */
const openTable = async (uri: string): Promise<Table> => (await connect(join(uri, 'tables'))).openTable(tableName(uri));

const vectorIndexOf = async (uri: string) => (await openTable(uri)).indexStats(indexNames.vector);

test('rows that are committed during a fold and its build of the vector index are found, each exactly once', async () => {
  const dimensions = 512;
  const uri = temporaryDirectory();
  const bench = await openBench(uri, { dimensions });
  const next = seededNumbers(4);
  const random = (id: number): Row =>
    makeRow(`row${id}`, Array.from({ length: dimensions }, next), { metadata: { id }, text: `text ${id}` });
  const expected = new Map<string, Row>();
  const upsert = async (rows: readonly Row[]): Promise<void> => {
    await bench.upsert(...rows);
    for (const row of rows) expected.set(row.id, row);
  };
  await upsert(Array.from({ length: 2_400 }, (_, id) => random(id)));

  const changed: string[] = [];
  const check = async (): Promise<void> => {
    const page = await bench.reader.list(bench.ref(), { after: null, limit: 5_000 });
    assert.deepEqual(
      page.rows.map(({ id }) => id),
      [...expected.keys()].toSorted(),
    );
    for (const id of changed.slice(-20)) {
      const row = expected.get(id);
      const vector = row?.vector ?? Float32Array.from({ length: dimensions }, next);
      const hits = await bench.reader.search(bench.ref(), { mode: 'dense', vector, topK: 5 });
      const found = hits.map((hit) => hit.row.id);
      assert.equal(new Set(found).size, 5);
      if (row === undefined) assert.ok(!found.includes(id), `${id} is gone`);
      else assert.equal(found[0], id);
    }
  };
  const builder = openEngines(uri, { bounds: foldingBounds }).writer;
  const fold = async (): Promise<number> => {
    const ended = new AbortController();
    const folding = builder
      .maintain(bench.ref(), { keepSeconds: 3_600, keepVersions: [] })
      .finally(() => ended.abort());
    let commits = 0;
    for (; !ended.signal.aborted; commits += 1) {
      // Some that are there, some that are new, and some that go.
      await upsert(Array.from({ length: 20 }, (_, at) => random(((commits * 37 + at * 11) % 2_400) + (at % 3) * 100)));
      const gone = `row${(commits * 53) % 2_400}`;
      await bench.commit({ kind: 'delete', ids: [gone] });
      changed.push(gone, ...[...expected.keys()].slice(-20));
      expected.delete(gone);
      await check();
    }
    await folding;
    return commits;
  };
  assert.ok((await fold()) > 1, 'nothing was committed beside the fold');
  await check();
  assert.equal((await vectorIndexOf(uri))?.numUnindexedRows, 0);
  await fold();
  await check();
});

test('a fold after a deletion of most rows leaves a vector index that finds the nearest rows', async () => {
  const uri = temporaryDirectory();
  const bench = await openBench(uri, { dimensions: 125, bounds: foldingBounds });
  const next = seededNumbers(8);
  const vector = (): readonly number[] => Array.from({ length: 125 }, next);
  await bench.upsert(...makeRows(8_200, (number) => [vector(), '', { kept: number % 10 === 0 }]));
  await bench.maintain();
  for (const added of [0, 1]) {
    await bench.commit({ kind: 'deleteWhere', filter: { kept: false } });
    if (added > 0) await bench.upsert(makeRow('new', vector()));
    const state = await bench.maintain();
    assert.deepEqual([state.rows, state.unindexedRows], [820 + added, 0]);
    const search = async (exact: boolean): Promise<readonly string[]> => {
      const query = { mode: 'dense', vector: Float32Array.from({ length: 125 }, () => 1), topK: 10, exact } as const;
      return (await bench.reader.search(bench.ref(), query)).map(({ row }) => row.id);
    };
    assert.deepEqual(await search(false), await search(true));
  }
});

test('a vector index is extended by folds, and built again after it has been extended often', async () => {
  const uri = temporaryDirectory();
  const bench = await openBench(uri, { dimensions: 125, bounds: foldingBounds });
  const next = seededNumbers(6);
  const add = (count: number, prefix: string) =>
    bench.upsert(...makeRows(count, () => [Array.from({ length: 125 }, next), '', {}], prefix));
  await add(8_200, 'row');
  const segments: number[] = [];
  for (let fold = 0; fold < 10; fold += 1) {
    await bench.maintain();
    const { numIndices = 0, numUnindexedRows } = (await vectorIndexOf(uri)) ?? {};
    assert.equal(numUnindexedRows, 0);
    segments.push(numIndices);
    await add(10, `more${fold}_`);
  }
  assert.deepEqual(segments, [1, 2, 3, 4, 5, 6, 7, 8, 1, 2]);
  await bench.writer.maintain(bench.ref(), { keepSeconds: 60, keepVersions: [], paused: true });
  assert.equal((await vectorIndexOf(uri))?.numIndices, 1, 'writes have paused');
  const [small, huge] = [1_000_000, 1_600_000_000];
  assert.deepEqual(
    [isWorn(8, small, false), isWorn(9, small, false), isWorn(16, huge, false), isWorn(17, huge, false)],
    [false, true, false, true],
  );
  assert.deepEqual([isWorn(1, small, true), isWorn(2, small, true), isWorn(16, huge, true)], [false, true, false]);
  // An index whose rows have become few keeps its parts, and is not folded for them.
  const worn = { rows: 8_200, vectorParts: 2 };
  const needs = [worn, { ...worn, rows: 100 }].map((base) => needsVectorIndex(base, bench.ref(), true));
  assert.deepEqual(needs, [true, false]);
});

/** Bytes of the largest set of codes that a vector index of a table has. */
const codeBytes = (uri: string): number => {
  const indices = join(uri, 'tables', `${tableName(uri)}.lance`, '_indices');
  const codes = readdirSync(indices, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('auxiliary.idx'),
  );
  return Math.max(...codes.map((name) => statSync(join(indices, name)).size));
};

test('long vectors are quantized coarsely, in half the space, if the recall stays as required', async () => {
  const asked = { op: 'recall', vectors: null, queries: 20, seed: 1, top_k: 10, filter: null } as const;
  const next = seededNumbers(5);
  const random = (): readonly number[] => Array.from({ length: 1_024 }, next);
  const directions = Array.from({ length: 8 }, random);
  /** Of eight directions, as vectors of models are of some tens. */
  const related = (): readonly number[] => {
    const weights = directions.map(next);
    return Array.from({ length: 1_024 }, (_, part) =>
      directions.reduce((sum, direction, at) => sum + (weights[at] ?? 0) * (direction[part] ?? 0), 0),
    );
  };
  const sizes: number[] = [];
  for (const vector of [related, random]) {
    const uri = temporaryDirectory();
    const bench = await openBench(uri, { dimensions: 1_024, metric: 'cosine', bounds: foldingBounds });
    await bench.upsert(...makeRows(1_100, () => [vector(), '', {}]));
    await bench.maintain();
    const { unfiltered } = await measureRecall(bench.reader, bench.ref(), asked);
    assert.ok((unfiltered.recall ?? 0) >= 0.97, `recall ${unfiltered.recall}`);
    sizes.push(codeBytes(uri));
  }
  const [coarse = 0, fine = 0] = sizes;
  assert.ok(coarse < fine * 0.7, `${coarse} of ${fine} bytes`);
});

/** Vectors of rows that lie together, the far ones of which have one number that is much larger than all others. */
const vectorsOf = (count: number, far: (at: number) => number, offset = 0): readonly (readonly number[])[] => {
  const next = seededNumbers(7);
  return Array.from({ length: count }, (_, at) =>
    Array.from({ length: 4_096 }, (__, part) => offset + (part === 7 ? far(at) : 0) + next()),
  );
};

const rowsOf = (vectors: readonly (readonly number[])[]): readonly Row[] =>
  vectors.map((vector, at) => makeRow(`row${at}`, vector, { metadata: { odd: at % 2 === 1 } }));

testForms('distant rows, and rows far from zero, do not reduce the recall of euclidean searches', async (form) => {
  for (const vectors of [vectorsOf(260, (at) => (at % 20 === 5 ? 1e6 : 0)), vectorsOf(260, () => 0, 1_000)]) {
    const uri = temporaryDirectory();
    const bench = await openBench(uri, { dimensions: 4_096, metric: 'euclidean', form });
    await bench.upsert(...rowsOf(vectors));
    const search = async (vector: readonly number[], exact: boolean, odd: boolean): Promise<readonly string[]> => {
      const query = { mode: 'dense', vector: Float32Array.from(vector), topK: 10, exact } as const;
      const hits = await bench.reader.search(bench.ref(), { ...query, ...(odd ? { filter: { odd } } : {}) });
      return hits.map(({ row }) => row.id);
    };
    // Rows of segments are compared in half precision, which orders rows that are almost as near otherwise.
    const minFound = form === 'table' ? 10 : 9;
    for (const vector of vectors.slice(100, 105))
      for (const odd of [false, true]) {
        const nearest = new Set(await search(vector, true, odd));
        const found = (await search(vector, false, odd)).filter((id) => nearest.has(id));
        assert.ok(found.length >= minFound, `${found.length} of 10`);
      }
    if (form === 'table') assert.equal((await vectorIndexOf(uri))?.numIndices, 1);
  }
});

test('the kind of a vector index is the cheapest whose recall is high enough', async () => {
  const kinds: (string | undefined)[] = [];
  for (const far of [0, 1e18]) {
    const uri = temporaryDirectory();
    const bench = await openBench(uri, { dimensions: 4_096, metric: 'euclidean', bounds: foldingBounds });
    await bench.upsert(...rowsOf(vectorsOf(260, (at) => (at % 20 === 5 ? far : 0))));
    await bench.maintain();
    kinds.push((await vectorIndexOf(uri))?.indexType);
  }
  assert.deepEqual(kinds, ['IVF_RQ', 'IVF_FLAT']);
});

/** Creates a table with a vector index of one kind, whatever its recall. */
const openQuantized = async (rows: readonly Row[], ref: IndexRef): Promise<Table> => {
  const database = await connect(temporaryDirectory());
  const encoded = await encodeRows(
    rows.map((row) => ({ ...row, version: 'one' })),
    ref,
  );
  const table = await database.createTable('rows', encoded);
  const config = Index.ivfRq({ numBits: 4, distanceType: 'l2' });
  await table.createIndex('vector', { config, name: indexNames.vector });
  return table;
};

test('a search by a vector index that has lost rows compares all rows', async () => {
  const vectors = vectorsOf(260, (at) => (at % 20 === 5 ? 1e18 : 0));
  const ref: IndexRef = {
    dimensions: 4_096,
    metric: 'euclidean',
    nonFilterableKeys: [],
    layers: [{ table: 'main', version: 1 }],
  };
  const table = await openQuantized(rowsOf(vectors), ref);
  const search = async (numbers: readonly number[], exact: boolean): Promise<readonly string[]> => {
    const vector = Float32Array.from(numbers);
    const target = await targetOf(table, ref, { mode: 'dense', vector, topK: 10, exact });
    const found = await nearestRows(target, vector, await planProbing(target), 10);
    return found.map(({ id }) => id);
  };
  for (const vector of vectors.slice(100, 106))
    assert.deepEqual(await search(vector, false), await search(vector, true));
});
