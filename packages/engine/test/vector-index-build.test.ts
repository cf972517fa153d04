import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Row } from '../src/port.ts';
import { openReader } from '../src/lance/open-reader.ts';
import { isOutgrown, judgeSegments } from '../src/lance/vector-index-build.ts';
import { measureRecall } from '../../../shared/reader/measure-recall.ts';
import { makeRow, makeRows, openBench, openEngines, seededNumbers } from './support/index-bench.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';

const dimensions = 512;

test('rows committed during a build of the vector index are found, before and after maintenance', async (context) => {
  const uri = temporaryDirectory(context);
  const bench = await openBench(uri, { dimensions });
  const next = seededNumbers(4);
  const random = (id: number): Row =>
    makeRow(`row${id}`, Array.from({ length: dimensions }, next), { metadata: { id }, text: `text ${id}` });
  const expected = new Map<string, Row>();
  const upsert = async (rows: readonly Row[]): Promise<void> => {
    await bench.upsert(...rows);
    for (const row of rows) expected.set(row.id, row);
  };
  await upsert(Array.from({ length: 6_000 }, (_, id) => random(id)));
  const retention = { keepSeconds: 3_600, keepVersions: [] };
  const { state, vectorIndex } = await bench.writer.maintain(bench.ref(), retention, null);
  assert.equal(vectorIndex, 'missing');

  const builder = openEngines(uri).writer;
  const ended = new AbortController();
  const build = builder.buildVectorIndex(bench.ref()).finally(() => ended.abort());
  const changed: string[] = [];
  let commits = 0;
  for (; !ended.signal.aborted; commits += 1) {
    // Some that are there, some that are new, and some that go.
    const rows = Array.from({ length: 20 }, (_, at) => random(((commits * 37 + at * 11) % 6_000) + (at % 3) * 100));
    const gone = `row${(commits * 53) % 6_000}`;
    await upsert(rows);
    await bench.commit({ kind: 'delete', ids: [gone] });
    expected.delete(gone);
    changed.push(gone, ...rows.map(({ id }) => id));
  }
  await build;
  assert.ok(commits > 1, 'nothing was committed beside the build');
  assert.ok(bench.state().version > state.version + commits);

  const check = async (): Promise<void> => {
    assert.equal(await bench.reader.count(bench.ref()), expected.size);
    for (const id of changed.slice(-200)) {
      const row = expected.get(id);
      const vector = row?.vector ?? Float32Array.from({ length: dimensions }, next);
      const hits = await bench.reader.search(bench.ref(), { mode: 'dense', vector, topK: 5 });
      const found = hits.map((hit) => hit.row.id);
      assert.equal(new Set(found).size, 5);
      if (row === undefined) assert.ok(!found.includes(id), `${id} is gone`);
      else assert.equal(found[0], id);
    }
  };
  await check();
  const after = await bench.writer.maintain(bench.ref(), retention, null);
  assert.deepEqual([after.vectorIndex, after.state.unindexedRows], ['grown', 0]);
  await bench.maintain();
  await check();
  await builder.buildVectorIndex(bench.ref());
  assert.equal((await bench.writer.maintain(bench.ref(), retention, null)).vectorIndex, 'whole');
  await bench.maintain();
  await check();
});

test('maintenance succeeds after a deletion that leaves a partition of the vector index small', async (context) => {
  const bench = await openBench(temporaryDirectory(context), { dimensions: 4 });
  const next = seededNumbers(8);
  await bench.upsert(
    ...makeRows(8_200, (number) => [Array.from({ length: 4 }, next), '', { kept: number % 10 === 0 }]),
  );
  const retention = { keepSeconds: 3_600, keepVersions: [] };
  await bench.writer.maintain(bench.ref(), retention, null);
  await bench.writer.buildVectorIndex(bench.ref());
  await bench.maintain();
  await bench.commit({ kind: 'deleteWhere', filter: { kept: false } });
  const { unindexedRows, tombstones } = bench.state();
  assert.deepEqual([unindexedRows, tombstones], [7_380, 7_380]);
  const state = await bench.maintain();
  assert.deepEqual([state.rows, state.unindexedRows, state.tombstones], [820, 0, 0]);
  const vector = Float32Array.from({ length: 4 }, next);
  const search = async (exact: boolean): Promise<readonly string[]> => {
    const hits = await bench.reader.search(bench.ref(), { mode: 'dense', vector, topK: 10, exact });
    return hits.map(({ row }) => row.id);
  };
  assert.deepEqual(await search(false), await search(true));
  // A new index is built and extended as before.
  await bench.writer.buildVectorIndex(bench.ref());
  await bench.upsert(makeRow('new', [1, 2, 3, 4]));
  assert.deepEqual((await bench.maintain()).unindexedRows, 0);
});

test('a small vector index is rebuilt after it has grown, a large one after it is worn', () => {
  const [small, large, huge] = [64_000_000, 64_000_001, 1_600_000_000];
  assert.deepEqual(
    [0, 1, 2, 8, 9].map((segments) => judgeSegments(segments, small)),
    ['missing', 'whole', 'grown', 'grown', 'worn'],
  );
  assert.deepEqual(
    [0, 1, 2, 8, 9].map((segments) => judgeSegments(segments, large)),
    ['missing', 'whole', 'whole', 'whole', 'worn'],
  );
  assert.deepEqual([judgeSegments(16, huge), judgeSegments(17, huge)], ['whole', 'worn']);
});

test('a vector index is rebuilt before its extension would divide partitions', () => {
  const grown = [131_072, 131_073, 196_609, 262_145];
  assert.deepEqual(
    [100, 65_536, 69_632, 100_000, 131_072].map((built) => grown.findIndex((rows) => isOutgrown(rows, built, 1_023))),
    [0, 1, 2, 2, 3],
  );
  assert.deepEqual(
    [8_192, 8_193].map((rows) => isOutgrown(rows, 5_000, 1_023)),
    [false, true],
  );
  assert.equal(isOutgrown(1_000_000, 100, 1_024), false);
});

test('maintenance reports an index as worn if it was built over far fewer rows', async (context) => {
  const bench = await openBench(temporaryDirectory(context), { dimensions: 8 });
  const next = seededNumbers(6);
  const add = (first: number, rows: number) =>
    bench.upsert(...makeRows(rows, () => [Array.from({ length: 8 }, next), '', {}], `${first} and `));
  const retention = { keepSeconds: 3_600, keepVersions: [] };
  const told = async (builtRows: number | null): Promise<string> =>
    (await bench.writer.maintain(bench.ref(), retention, builtRows)).vectorIndex;
  for (let first = 0; first < 130_000; first += 26_000) await add(first, 26_000);
  const built = await bench.writer.buildVectorIndex(bench.ref());
  assert.deepEqual([built, await told(built)], [130_000, 'whole']);
  await add(130_000, 2_000);
  assert.notEqual(await told(built), 'worn');
  assert.equal(await told(1_000), 'worn');
});

/** Bytes of the largest set of codes that a vector index of a table has. */
const codeBytes = (uri: string): number => {
  const indices = join(uri, 'main.lance', '_indices');
  const codes = readdirSync(indices, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('auxiliary.idx'),
  );
  return Math.max(...codes.map((name) => statSync(join(indices, name)).size));
};

test('long vectors are quantized coarsely, in half the space, if the recall stays as required', async (context) => {
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
    const uri = temporaryDirectory(context);
    const bench = await openBench(uri, { dimensions: 1_024, metric: 'cosine' });
    await bench.upsert(...makeRows(1_100, () => [vector(), '', {}]));
    await bench.maintain();
    // One that keeps no table in memory.
    const { unfiltered } = await measureRecall(openReader({ uri }), bench.ref(), asked);
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

const openFilled = async (uri: string, vectors: readonly (readonly number[])[]) => {
  const bench = await openBench(uri, { dimensions: 4_096, metric: 'euclidean' });
  await bench.upsert(...vectors.map((vector, at) => makeRow(`row${at}`, vector, { metadata: { odd: at % 2 === 1 } })));
  const search = async (vector: readonly number[], exact: boolean, odd: boolean): Promise<readonly string[]> => {
    const query = { mode: 'dense', vector: Float32Array.from(vector), topK: 10, exact } as const;
    const hits = await bench.reader.search(bench.ref(), { ...query, ...(odd ? { filter: { odd } } : {}) });
    return hits.map(({ row }) => row.id);
  };
  const assertExact = async (): Promise<void> => {
    for (const vector of vectors.slice(100, 106))
      for (const odd of [false, true])
        assert.deepEqual(await search(vector, false, odd), await search(vector, true, odd));
  };
  return { bench, assertExact };
};

test('distant rows, and rows far from zero, do not reduce the recall of euclidean searches or their index', async (context) => {
  for (const vectors of [vectorsOf(260, (at) => (at % 20 === 5 ? 1e6 : 0)), vectorsOf(260, () => 0, 1_000)]) {
    const { bench, assertExact } = await openFilled(temporaryDirectory(context), vectors);
    await bench.maintain();
    assert.equal(bench.state().unindexedRows, 0);
    await assertExact();
    const { vectorIndex } = await bench.writer.maintain(bench.ref(), { keepSeconds: 3_600, keepVersions: [] }, null);
    assert.equal(vectorIndex, 'whole');
  }
});

test('a vector index that loses rows is not used', async (context) => {
  const uri = temporaryDirectory(context);
  const { bench, assertExact } = await openFilled(
    uri,
    vectorsOf(260, (at) => (at % 20 === 5 ? 1e18 : 0)),
  );
  const { connect, Index } = await import('@lancedb/lancedb');
  const table = await (await connect(uri)).openTable('main');
  const config = Index.ivfRq({ numBits: 4, distanceType: 'l2' });
  await table.createIndex('vector', { config, name: 'vector_idx' });
  await bench.upsert(
    makeRow(
      'other',
      Array.from({ length: 4_096 }, () => 2),
    ),
  );
  await assertExact();
});
