import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { connect, type Table } from '@lancedb/lancedb';
import { openReader } from '../src/lance/open-reader.ts';
import type { RequestedTable } from '../src/lance/vector-cache/load-table.ts';
import { rowCache } from '../src/lance/row-cache.ts';
import { loadRows } from '../src/lance/vector-cache/cached-table.ts';
import { vectorCache } from '../src/lance/vector-cache/vector-cache.ts';
import type { DistanceMetric, EngineReader, Hit, Row, SearchQuery } from '../src/port.ts';
import type { Scored } from '../src/in-memory-search/top-rows.ts';
import { loadVectors, vectorBytesOf } from '../src/in-memory-search/vector-search.ts';
import { type Bench, makeRow, makeRows, openBench, seededNumbers } from './support/index-bench.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';

const metrics = ['cosine', 'euclidean'] as const;
const mebibyte = 1024 * 1024;

/** Vectors around some centers, so that each has neighbours, `offset` away from zero. */
const clustered = (rows: number, width: number, offset: number): Float32Array => {
  const next = seededNumbers(rows + width);
  const centers = Float32Array.from({ length: 200 * width }, next);
  const vectors = new Float32Array(rows * width);
  for (let at = 0; at < vectors.length; at += 1)
    vectors[at] = offset + (centers[at % centers.length] ?? 0) + 0.5 * next();
  return vectors;
};

const scoreOf = (metric: DistanceMetric, one: Float32Array, other: Float32Array): number => {
  let [dot, far, ones, others] = [0, 0, 0, 0];
  for (let at = 0; at < one.length; at += 1) {
    const a = one[at] ?? 0;
    const b = other[at] ?? 0;
    dot += a * b;
    far += (a - b) ** 2;
    ones += a * a;
    others += b * b;
  }
  return metric === 'cosine' ? dot / Math.sqrt(ones * others) : -far;
};

/** Vectors that each search looks for. */
const sampled = 8;

const shapes = [
  { rows: 1, width: 8, offset: 0, least: 1 },
  { rows: 4_003, width: 104, offset: 0, least: 1 },
  { rows: 22_001, width: 104, offset: 3, least: 0.95 },
  { rows: 3_001, width: 768, offset: 0, least: 0.95 },
] as const;

for (const metric of metrics) {
  for (const { rows, width, offset, least } of shapes) {
    test(`${metric}: ${rows} vectors of ${width} numbers, ${offset} away from zero, are found by the in-memory search with their scores`, async () => {
      const vectors = clustered(rows + sampled, width, offset);
      const at = (row: number): Float32Array => vectors.subarray(row * width, (row + 1) * width);
      const keeping = loadVectors({ rows, room: rows, width, metric });
      for (let row = 0; row < rows; row += 1) keeping.fill(row, at(row));
      const resident = await keeping.finish(() => Promise.resolve());
      assert.ok(resident !== null);
      const nextTo = (query: number, step: number, all: Float64Array): number => {
        const among = Int32Array.from({ length: Math.ceil(rows / step) }, (_, number) => number * step);
        const tenth = Float64Array.from(among, (place) => all[place] ?? 0)
          .toSorted()
          .at(-Math.min(10, among.length));
        const hits: readonly Scored[] = resident.nearest(at(query), 10, step === 1 ? null : among) ?? [];
        assert.equal(hits.length, Math.min(10, among.length));
        for (const [rank, { place, score }] of hits.entries()) {
          assert.ok(Math.abs(score - (all[place] ?? 0)) <= 1e-5 * Math.max(1, Math.abs(score)), `row ${place}`);
          assert.ok(rank === 0 || score <= (hits[rank - 1]?.score ?? 0));
          assert.equal(place % step, 0);
        }
        return hits.filter(({ place }) => (all[place] ?? 0) >= (tenth ?? 0)).length / hits.length;
      };
      const found = new Map([1, 2, 7, 500].map((step) => [step, 0]));
      for (let query = rows; query < rows + sampled; query += 1) {
        const own = at(query);
        const all = Float64Array.from({ length: rows }, (_, place) => scoreOf(metric, own, at(place)));
        for (const [step, sum] of found) found.set(step, sum + nextTo(query, step, all));
      }
      for (const [step, sum] of found) assert.ok(sum / sampled >= least, `recall ${sum / sampled} of every ${step}`);
    });
  }

  test(`${metric}: vectors that 32 bits cannot compare or that codes cannot distinguish are left to the engine`, async () => {
    const fill = async (rows: number, make: (row: number) => Float32Array) => {
      const keeping = loadVectors({ rows, room: rows, width: 8, metric });
      for (let row = 0; row < rows; row += 1) keeping.fill(row, make(row));
      return keeping.finish(() => Promise.resolve());
    };
    const ones = new Float32Array(8).fill(1);
    assert.equal(await fill(4, (row) => (row === 3 ? new Float32Array(8).fill(1e18) : ones)), null);
    assert.equal(await fill(260_000, () => ones), null);
    const few = await fill(4, (row) => Float32Array.from({ length: 8 }, (_, part) => row + part));
    assert.equal(few?.nearest(new Float32Array(8).fill(1e18), 1, null), null);
    assert.equal(few?.nearest(ones, 1, null)?.length, 1);
    assert.equal(vectorBytesOf({ rows: 10_000_000, width: 104, metric }), null);
  });
}

/** Dense search by memory alone or, until the table is there, by the engine. */
const searchOf =
  (reader: EngineReader, bench: Bench) =>
  (vector: readonly number[], more: Partial<SearchQuery> = {}): Promise<readonly Hit[]> =>
    reader.search(bench.ref(), { mode: 'dense', vector: Float32Array.from(vector), topK: 3, ...more } as SearchQuery);

const idsOf = (hits: readonly Hit[]): readonly string[] => hits.map(({ row }) => row.id);

/** Asks until the files of a table are not needed any more. */
const untilResident = async (
  residents: ReturnType<typeof vectorCache>,
  ask: () => Promise<unknown>,
  count: number,
): Promise<void> => {
  for (const deadline = performance.now() + 30_000; residents.loaded() < count;) {
    assert.ok(performance.now() < deadline, 'the table is not read into memory');
    await ask();
    await setImmediate();
  }
};

/** Opens the table of a bench for each query, at its newest version. */
const newestOf = ({ uri, ref }: Bench): (() => Promise<RequestedTable>) => {
  const database = connect(uri);
  return async () => {
    const shape = ref();
    const name = shape.layers[0].table;
    const table = await (await database).openTable(name);
    await table.checkout(await table.version());
    const { unchanged = { from: 0, to: 0 } } = shape;
    const open = async (): Promise<Table> => (await database).openTable(name, undefined, { version: unchanged.to });
    return { table, name: `${uri}/${name}`, pinned: false, shape, unchanged: { ...unchanged, open } };
  };
};

/** Waits until the newest version of a table is in memory. */
const untilFollowed = async (
  residents: ReturnType<typeof vectorCache>,
  newest: () => Promise<RequestedTable>,
): Promise<void> => {
  const asked = await newest();
  await eventually(
    () => residents.of(asked),
    () => true,
    30,
  );
};

test('a table that is queried often is searched in the vector cache, without its files', async (context) => {
  const bench = await openBench(temporaryDirectory(context), { dimensions: 3 });
  const file = { jobId: 'job_1', filename: 'a.pdf', pageStart: 2, pageEnd: 3, text: 'alpha', metadata: { n: 1 } };
  await bench.upsert(makeRow('a', [1, 0, 0], file), makeRow('b', [0, 1, 0]), makeRow('c', [0, 0, 1]));
  await bench.commit({ kind: 'delete', ids: ['c'] });
  const residents = vectorCache(mebibyte);
  const search = searchOf(openReader({ uri: bench.uri, vectorCache: residents }), bench);
  const plain = { includeText: false, includeMetadata: false };
  const byEngine = await search([1, 0.5, 0], plain);
  await untilResident(residents, () => search([1, 0.5, 0]), 1);
  const whole = await search([1, 0.5, 0]);
  assert.deepEqual(idsOf(whole), ['a', 'b']);
  assert.deepEqual([whole[0]?.row.text, whole[0]?.row.metadata, whole[1]?.row.text], ['alpha', { n: 1 }, null]);
  rmSync(join(bench.uri, 'main.lance'), { recursive: true });
  const byMemory = await search([1, 0.5, 0], plain);
  assert.deepEqual(
    byMemory.map(({ row, layer, ranks }) => ({ row, layer, ranks })),
    byEngine.map(({ row, layer, ranks }) => ({ row, layer, ranks })),
  );
  for (const [rank, { score }] of byMemory.entries()) assert.ok(Math.abs(score - (byEngine[rank]?.score ?? 9)) < 1e-6);
});

test('texts and metadata of rows that were found before come from the row cache, those of updated rows from the store', async (context) => {
  const bench = await openBench(temporaryDirectory(context), { dimensions: 3 });
  const rowOf = (id: string, text: string): Row => makeRow(id, [1, 0, 0], { text, metadata: { text } });
  await bench.upsert(rowOf('a', 'one'), rowOf('b', 'two'));
  const residents = vectorCache(mebibyte);
  const reader = openReader({ uri: bench.uri, vectorCache: residents, rowCache: rowCache(mebibyte) });
  const search = searchOf(reader, bench);
  const told = async (more: Partial<SearchQuery> = {}): Promise<readonly unknown[]> =>
    (await search([1, 0, 0], more)).map(({ row }) => [row.id, row.text, row.metadata['text']]);
  await untilResident(residents, () => search([1, 0, 0]), 1);
  assert.deepEqual(await told(), [
    ['a', 'one', 'one'],
    ['b', 'two', 'two'],
  ]);
  await bench.maintain(0);
  await bench.upsert(rowOf('a', 'three'));
  await bench.commit({ kind: 'delete', ids: ['b'] });
  assert.deepEqual(await told(), [['a', 'three', 'three']]);
  assert.deepEqual(await told({ includeText: false }), [['a', null, 'three']]);
  rmSync(join(bench.uri, 'main.lance'), { recursive: true });
  assert.deepEqual(await told(), [['a', 'three', 'three']]);
  assert.deepEqual(await told({ includeText: false }), [['a', null, 'three']]);
  // A vector is read from the store each time.
  await assert.rejects(told({ includeVector: true }));
});

test('the vector cache follows a table from version to version', async (context) => {
  const bench = await openBench(temporaryDirectory(context), { dimensions: 3, metric: 'euclidean' });
  await bench.upsert(makeRow('a', [1, 0, 0]), makeRow('b', [0, 1, 0]));
  const residents = vectorCache(mebibyte);
  const search = searchOf(openReader({ uri: bench.uri, vectorCache: residents }), bench);
  const plain = { includeText: false, includeMetadata: false };
  await untilResident(residents, () => search([1, 0, 0]), 1);
  await bench.upsert(makeRow('a', [9, 9, 9], { text: 'far' }), makeRow('c', [1, 0, 0]));
  assert.deepEqual(idsOf(await search([1, 0, 0])), ['c', 'b', 'a']);
  await bench.commit({ kind: 'delete', ids: ['c'] });
  assert.deepEqual(idsOf(await search([1, 0, 0])), ['b', 'a']);
  await bench.commit({ kind: 'patch', patches: [{ id: 'a', metadata: { n: 1 } }], maxBytes: mebibyte });
  await bench.upsert(makeRow('d', [1, 0, 1]), makeRow('c', [2, 0, 0]));
  await bench.maintain(0);
  const [first, ...others] = await search([9, 9, 9]);
  assert.deepEqual([first?.row.text, first?.row.metadata, idsOf(others)], ['far', { n: 1 }, ['d', 'c']]);
  assert.equal(residents.loaded(), 1);
  rmSync(join(bench.uri, 'main.lance'), { recursive: true });
  assert.deepEqual(idsOf(await search([1, 0, 0], plain)), ['c', 'd', 'b']);
});

test('the vector cache serves queries at once after maintenance has moved rows', async (context) => {
  const bench = await openBench(temporaryDirectory(context), { dimensions: 3, metric: 'euclidean' });
  const residents = vectorCache(mebibyte);
  const followed: number[] = [];
  const follow: typeof residents.follow = async (asked) => {
    await residents.follow(asked);
    followed.push(await asked.table.version());
  };
  const search = searchOf(openReader({ uri: bench.uri, vectorCache: { ...residents, follow } }), bench);
  const plain = { includeText: false, includeMetadata: false };
  for (const number of [1, 2, 3])
    await bench.upsert(makeRow(`a${number}`, [number, 0, 0]), makeRow(`b${number}`, [0, number, 0]));
  await untilResident(residents, () => search([1, 0, 0]), 1);
  const { version: before } = bench.ref().layers[0];
  await bench.maintain();
  const { version } = bench.ref().layers[0];
  assert.ok(version > before && bench.ref().unchanged?.from === before);
  // The newest version cannot be opened, nor waited for.
  const [files, aside] = [join(bench.uri, 'main.lance'), join(bench.uri, 'aside')];
  renameSync(files, aside);
  for (let times = 0; times < 3; times += 1)
    assert.deepEqual(idsOf(await search([1, 0, 0], plain)), ['a1', 'a2', 'b1']);
  assert.equal(followed.length, 0);
  renameSync(aside, files);
  await eventually(
    async () => {
      await search([1, 0, 0], plain);
      return followed;
    },
    (versions) => versions.includes(version),
    30,
  );
  renameSync(files, aside);
  assert.deepEqual(idsOf(await search([1, 0, 0], plain)), ['a1', 'a2', 'b1']);
  renameSync(aside, files);
  await bench.upsert(makeRow('c', [1, 0, 0]));
  assert.deepEqual(idsOf(await search([1, 0, 0])), ['a1', 'c', 'a2']);
  assert.deepEqual([followed, residents.loaded()], [[version], 1]);
});

test('a deleted row leaves the vector cache, even if maintenance removes its tombstone before the next query', async (context) => {
  const bench = await openBench(temporaryDirectory(context), { dimensions: 3 });
  await bench.upsert(makeRow('a', [1, 0, 0]), makeRow('b', [0, 1, 0]), makeRow('c', [0, 0, 1]));
  const residents = vectorCache(mebibyte);
  const search = searchOf(openReader({ uri: bench.uri, vectorCache: residents }), bench);
  const plain = { includeText: false, includeMetadata: false };
  await untilResident(residents, () => search([1, 0, 0]), 1);
  await bench.commit({ kind: 'delete', ids: ['a'] });
  await bench.upsert(makeRow('d', [0, 0.5, 1]));
  await bench.maintain(0);
  assert.deepEqual(idsOf(await search([1, 0.9, 0], plain)), ['b', 'd', 'c']);
  await untilFollowed(residents, newestOf(bench));
  assert.equal(residents.loaded(), 1);
  rmSync(join(bench.uri, 'main.lance'), { recursive: true });
  assert.deepEqual(idsOf(await search([1, 0.9, 0], plain)), ['b', 'd', 'c']);
});

for (const metric of metrics) {
  test(`${metric}: rows added, changed, moved or deleted between two queries are found in their current state`, async (context) => {
    const dimensions = 256;
    const bench = await openBench(temporaryDirectory(context), { dimensions, metric });
    const vectors = clustered(11_510, dimensions, 0);
    let made = 0;
    const rows = (first: number, count: number): readonly Row[] =>
      Array.from({ length: count }, (_, at) => {
        const vector = vectors.subarray(made * dimensions, (made + 1) * dimensions);
        made += 1;
        return makeRow(`row${first + at}`, [...vector]);
      });
    await bench.upsert(...rows(0, 8_000));
    const residents = vectorCache(64 * mebibyte);
    const search = searchOf(openReader({ uri: bench.uri, vectorCache: residents }), bench);
    const questions = Array.from({ length: 10 }, (_, at) => [
      ...vectors.subarray((11_500 + at) * dimensions, (11_501 + at) * dimensions),
    ]);
    const plain = { topK: 10, includeText: false, includeMetadata: false };
    const check = async (): Promise<void> => {
      let found = 0;
      for (const question of questions) {
        const [hits, all] = [await search(question, plain), await search(question, { ...plain, exact: true })];
        assert.equal(hits.length, 10);
        const scores = new Map(all.map(({ row, score }) => [row.id, score]));
        found += hits.filter(({ row }) => scores.has(row.id)).length;
        for (const { row, score } of hits) assert.ok(Math.abs(score - (scores.get(row.id) ?? score)) < 1e-4);
      }
      assert.ok(found >= 0.95 * 10 * questions.length, `found ${found}`);
    };
    await untilResident(residents, () => search(questions[0] ?? []), 1);
    const deleted = Array.from({ length: 500 }, (_, at) => `row${at * 3}`);
    await bench.upsert(...rows(7_000, 3_000));
    await bench.commit({ kind: 'delete', ids: deleted });
    await bench.upsert(...rows(0, 300));
    await check();
    await bench.maintain(0);
    await bench.upsert(...rows(10_000, 200));
    await check();
    await bench.commit({ kind: 'deleteJob', jobId: 'none' }, { kind: 'delete', ids: deleted });
    await check();
    assert.equal(residents.loaded(), 1);
    rmSync(join(bench.uri, 'main.lance'), { recursive: true });
    for (const question of questions) assert.equal((await search(question, plain)).length, 10);
  });
}

test('the vector cache returns the hits of the engine after any commits between two queries', async (context) => {
  const bench = await openBench(temporaryDirectory(context), { dimensions: 8, metric: 'euclidean' });
  const next = seededNumbers(11);
  const pick = (below: number): number => Math.floor(((next() + 1) / 2) * below);
  const vector = (): readonly number[] => Array.from({ length: 8 }, next);
  let made = 0;
  const row = (id: string): Row => makeRow(id, vector(), { text: id, metadata: { n: pick(4), wide: pick(4) > 0 } });
  const fresh = (count: number): readonly Row[] => Array.from({ length: count }, () => row(`row${(made += 1)}`));
  const again = (count: number): readonly Row[] => Array.from({ length: count }, () => row(`row${pick(made) + 1}`));
  const unlike = (rows: readonly Row[]): readonly Row[] => [...new Map(rows.map((one) => [one.id, one])).values()];
  const [few, many] = [3, 90];
  const commits: readonly (() => Promise<unknown>)[] = [
    () => bench.upsert(...fresh(few)),
    () => bench.upsert(...fresh(many)),
    () => bench.upsert(...unlike(again(few))),
    () => bench.upsert(...unlike([...fresh(few), ...again(many)])),
    () => bench.commit({ kind: 'delete', ids: again(few).map(({ id }) => id) }),
    () => bench.commit({ kind: 'delete', ids: again(many).map(({ id }) => id) }),
    () =>
      bench.commit({ kind: 'patch', patches: [{ id: `row${made}`, metadata: { n: pick(4) } }], maxBytes: mebibyte }),
    () => bench.maintain(0),
  ];
  await bench.upsert(...fresh(600));
  const residents = vectorCache(4 * mebibyte);
  const search = searchOf(openReader({ uri: bench.uri, vectorCache: residents }), bench);
  const plain = { topK: 20, includeText: false, includeMetadata: false };
  const filters = [{ n: 2 }, { wide: true }, { $or: [{ n: { $lt: 1 } }, { wide: { $ne: true } }] }, { n: 9 }];
  await untilResident(residents, () => search(vector()), 1);
  for (let step = 0; step < 16; step += 1) {
    const question = vector();
    // A query before a commit returns the state before it, and leaves nothing behind for a later query.
    const before = step % 2 === 0 ? filters.map((filter) => search(question, { ...plain, filter })) : [];
    for (let count = 0; count <= step % 3; count += 1) await commits[pick(commits.length)]?.();
    const [hits, all] = [await search(question, plain), await search(question, { ...plain, exact: true })];
    assert.deepEqual(idsOf(hits), idsOf(all), `step ${step}`);
    for (const filter of filters.slice(0, 1 + (step % filters.length))) {
      const matching = idsOf(await search(question, { ...plain, filter, exact: true }));
      // By the engine, by naming all that match, and by those.
      for (let asked = 0; asked < 3; asked += 1)
        assert.deepEqual(idsOf(await search(question, { ...plain, filter })), matching, `step ${step}`);
    }
    for (const hit of await search(question, { topK: 5 })) assert.equal(hit.row.text, hit.row.id);
    await Promise.all(before);
  }
  await bench.upsert(...fresh(few));
  await untilFollowed(residents, newestOf(bench));
  assert.equal(residents.loaded(), 1);
  for (const filter of filters) for (let asked = 0; asked < 3; asked += 1) await search(vector(), { ...plain, filter });
  rmSync(join(bench.uri, 'main.lance'), { recursive: true });
  assert.equal((await search(vector(), plain)).length, 20);
  const lengths: number[] = [];
  for (const filter of filters) lengths.push((await search(vector(), { ...plain, filter })).length);
  assert.deepEqual(lengths, [20, 20, 20, 0]);
});

test('the engine serves queries while more rows are added than the vector cache can hold or read at once', async (context) => {
  const dimensions = 256;
  const bench = await openBench(temporaryDirectory(context), { dimensions });
  const vectors = clustered(34_000, dimensions, 0);
  let made = 0;
  const nextVector = (): readonly number[] => [...vectors.subarray(made * dimensions, (made += 1) * dimensions)];
  const upsert = (count: number) => bench.upsert(...makeRows(count, () => [nextVector(), '', {}], `row ${made} and `));
  await upsert(1_500);
  const residents = vectorCache(128 * mebibyte);
  const search = searchOf(openReader({ uri: bench.uri, vectorCache: residents }), bench);
  await untilResident(residents, () => search(nextVector()), 1);
  const newest = newestOf(bench);
  // To read so many takes a while, and so many more find no room.
  for (const count of [15_500, 16_000]) {
    await upsert(count);
    const own = nextVector();
    await bench.upsert(makeRow('own', own));
    const asked = await newest();
    const isThere = async () => (await residents.of(asked)) !== null;
    for (const deadline = performance.now() + 60_000; !(await isThere());) {
      assert.ok(performance.now() < deadline, 'the rows are not read into memory');
      assert.equal((await search(own))[0]?.row.id, 'own');
      await setImmediate();
    }
    assert.equal((await search(own))[0]?.row.id, 'own');
  }
});

test('a growing table is recalibrated without its files while the vector cache serves queries', async (context) => {
  const dimensions = 256;
  const bench = await openBench(temporaryDirectory(context), { dimensions });
  const vectors = clustered(11_000, dimensions, 0);
  let made = 0;
  const vector = (): readonly number[] => [...vectors.subarray(made * dimensions, (made += 1) * dimensions)];
  const residents = vectorCache(64 * mebibyte);
  const search = searchOf(openReader({ uri: bench.uri, vectorCache: residents }), bench);
  const newest = newestOf(bench);
  const [files, aside] = [join(bench.uri, 'main.lance'), join(bench.uri, 'aside')];
  const add = (first: number, count: number) =>
    bench.upsert(...makeRows(count, () => [vector(), '', {}], `row ${first} and `));
  await add(0, 4_000);
  await untilResident(residents, () => search(vector()), 1);
  let measured = 0;
  for (let rows = 4_000; rows < 10_000; rows += 1_000) {
    await add(rows, 1_000);
    const asked = await newest();
    await residents.of(asked);
    renameSync(files, aside);
    do {
      assert.ok((await residents.of(asked)) !== null, `${rows} rows are not in memory`);
      measured += residents.isLoading() ? 1 : 0;
      await setImmediate();
    } while (residents.isLoading());
    renameSync(aside, files);
    const own = vector();
    await bench.upsert(makeRow('own', own));
    assert.equal((await search(own))[0]?.row.id, 'own');
  }
  assert.ok(measured > 0);
});

test('rows that change during a recalibration are found in their current state', async (context) => {
  const dimensions = 256;
  const bench = await openBench(temporaryDirectory(context), { dimensions });
  const vectors = clustered(26_000, dimensions, 0);
  let made = 0;
  const next = (): readonly number[] => [...vectors.subarray(made * dimensions, (made += 1) * dimensions)];
  const rows = (first: number, count: number): readonly Row[] =>
    Array.from({ length: count }, (_, at) => makeRow(`row${first + at}`, next()));
  const gone: Row[] = [];
  const residents = vectorCache(256 * mebibyte);
  const search = searchOf(openReader({ uri: bench.uri, vectorCache: residents }), bench);
  const newest = newestOf(bench);
  const plain = { topK: 10, includeText: false, includeMetadata: false };
  // So many are calibrated when they are loaded, and again when there are twice as many.
  let count = 8_000;
  await bench.upsert(...rows(0, count));
  await untilResident(residents, () => search(next()), 1);
  for (; !residents.isLoading(); count += 2_000) {
    assert.ok(count < 18_000, 'the rows are not measured');
    await bench.upsert(...rows(count, 2_000));
    await residents.of(await newest());
  }
  let changes = 0;
  for (; residents.isLoading(); changes += 1) {
    // Overwritten, and deleted at once or a commit later. No query returns the rows of that moment.
    const [one, other] = [...rows(changes * 7, 1), ...rows(count - 1 - changes * 3, 1)] as const;
    assert.ok(one !== undefined && other !== undefined);
    await bench.upsert(one, other);
    if (changes % 2 === 0) await residents.of(await newest());
    await bench.commit({ kind: 'delete', ids: [one.id, other.id] });
    gone.push(one, other);
    await residents.of(await newest());
    await bench.upsert(...rows(changes * 11 + 1, 3), ...rows(count + changes, 1));
    await residents.of(await newest());
  }
  assert.ok(changes > 0);
  count += changes;
  for (let question = 0; question < 20; question += 1) {
    const vector = next();
    const [hits, all] = [await search(vector, plain), await search(vector, { ...plain, exact: true, topK: 11 })];
    const scores = new Map(all.map(({ row, score }) => [row.id, score]));
    assert.ok(hits.filter(({ row }) => scores.has(row.id)).length >= 8);
    for (const { row, score } of hits) assert.ok(Math.abs(score - (scores.get(row.id) ?? score)) < 1e-4);
  }
  for (const { id, vector } of gone) {
    const [hit] = await search([...vector], plain);
    assert.ok(hit !== undefined && (hit.row.id !== id || hit.score < 0.999));
  }
  for (const one of [...rows(5, 2), ...rows(count + 1, 1)]) {
    await bench.upsert(one);
    assert.equal((await search([...one.vector]))[0]?.row.id, one.id);
  }
  assert.equal(residents.loaded(), 1);
});

/** Some rows in memory, of a table that a bench writes, and what brings them to its newest version. */
const keepRows = async (bench: Bench, rows: readonly Row[]) => {
  await bench.upsert(...rows);
  const newest = newestOf(bench);
  const { table, shape } = await newest();
  const of = { version: await table.version(), rows: rows.length, room: 2 * rows.length };
  const kept = await loadRows(table, of, shape, () => true);
  assert.ok(kept !== null);
  const follow = async (): Promise<void> => {
    const { table: next } = await newest();
    assert.equal(await kept.follow(next, await next.version(), () => undefined), 'there');
  };
  const nearest = (vector: readonly number[]) =>
    kept.of(kept.version() ?? 0)?.nearest(Float32Array.from(vector), 10, ['id', 'text']) ?? [];
  return { kept, newest, follow, nearest };
};

test('a deleted row is not found after its table was recalibrated', async (context) => {
  const bench = await openBench(temporaryDirectory(context), { dimensions: 64 });
  const vectors = clustered(3_000, 64, 0);
  const vectorAt = (at: number): readonly number[] => [...vectors.subarray(at * 64, (at + 1) * 64)];
  const { kept, follow, nearest } = await keepRows(
    bench,
    makeRows(3_000, (at) => [vectorAt(at), '', {}]),
  );
  // The first is one of those that are asked for their neighbours.
  await bench.commit({ kind: 'delete', ids: ['row0', 'row7'] });
  await follow();
  assert.equal(await kept.measure(() => true), true);
  for (const [at, isThere] of [
    [0, false],
    [7, false],
    [8, true],
  ] as const) {
    const found = nearest(vectorAt(at)).map(({ id }) => id);
    assert.equal(found.length, 10);
    assert.equal(found.includes(`row${at}`), isThere);
  }
  await bench.commit({ kind: 'delete', ids: Array.from({ length: 3_000 }, (_, at) => `row${at}`) });
  await follow();
  assert.equal(await kept.measure(() => true), true);
  assert.deepEqual(nearest(vectorAt(8)), []);
});

test('rows that maintenance has moved and rows written since are read from their current addresses', async (context) => {
  const bench = await openBench(temporaryDirectory(context), { dimensions: 3, metric: 'euclidean' });
  const vectorOf = (number: number): readonly number[] => [1, number / 100, 0];
  const { kept, newest, follow, nearest } = await keepRows(
    bench,
    makeRows(6_000, (at) => [vectorOf(at), '', {}]),
  );
  await bench.upsert(...makeRows(3, (at) => [vectorOf(at + 0.5), '', {}], 'more'));
  await follow();
  const always = (): boolean => true;
  const places = () => nearest([1, 0, 0]).map(({ id, rowId, isMoved }) => ({ id, rowId, isMoved }));
  const moved = (): readonly string[] => places().flatMap(({ id, isMoved }) => (isMoved ? [id] : []));
  const before = new Map(places().map(({ id, rowId }) => [id, rowId]));
  await bench.maintain();
  const { table: first } = await newest();
  await kept.moveOn(first, await first.version());
  assert.equal(moved().length, 10);
  await bench.upsert(makeRow('more2', vectorOf(2.6)), makeRow('new', vectorOf(0.2)));
  await follow();
  assert.deepEqual(moved(), ['row0', 'more0', 'row1', 'more1', 'row2', 'row3', 'row4', 'row5']);
  await bench.maintain();
  const { table: second } = await newest();
  // Memory moves on before the first time is settled: the second time is for what has moved at either.
  const settling = kept.settle(first, always);
  await kept.moveOn(second, await second.version());
  await settling;
  assert.equal(moved().length, 10);
  await kept.settle(second, always);
  assert.deepEqual(moved(), []);
  const stands = new Map<string, bigint>();
  for await (const batch of second.query().select(['id']).withRowId())
    for (const { id, _rowid: rowId } of batch) stands.set(String(id), BigInt(rowId));
  for (const { id, rowId } of places()) {
    assert.equal(rowId, stands.get(id), id);
    assert.notEqual(rowId, before.get(id));
  }
});

test('the vector cache serves queries at once after maintenance has moved very many rows, even after a commit', async (context) => {
  const bench = await openBench(temporaryDirectory(context), { dimensions: 8 });
  const next = seededNumbers(3);
  const vector = (): readonly number[] => Array.from({ length: 8 }, next);
  const textOf = (at: number): string => `text ${at}`;
  for (let first = 0; first < 24_000; first += 8_000)
    await bench.upsert(...makeRows(8_000, (at) => [vector(), textOf(at), {}], `row ${first} and `));
  const residents = vectorCache(64 * mebibyte);
  const reader = openReader({ uri: bench.uri, vectorCache: residents });
  const search = searchOf(reader, bench);
  await untilResident(residents, () => search(vector()), 1);
  await bench.maintain();
  const own = vector();
  await bench.upsert(makeRow('own', own, { text: 'text of own' }));
  const asked = await newestOf(bench)();
  assert.ok((await residents.of(asked)) !== null);
  for (let times = 0; times < 20; times += 1) {
    const [first, second] = await search(own);
    assert.deepEqual([first?.row.id, first?.row.text], ['own', 'text of own']);
    assert.equal(second?.row.text, textOf(Number(second?.row.id.split(' ').at(-1))));
    await setImmediate();
  }
});

test('a cached table that has grown evicts another one', async (context) => {
  const uri = temporaryDirectory(context);
  const next = seededNumbers(7);
  const dimensions = 64;
  const vector = (): readonly number[] => Array.from({ length: dimensions }, next);
  const open = async (table: string): Promise<Bench> => {
    const bench = await openBench(uri, { dimensions, table });
    await bench.upsert(...makeRows(400, () => [vector(), '', {}]));
    return bench;
  };
  const [one, other] = [await open('one'), await open('other')];
  // Room for both of them, as they are at first.
  const residents = vectorCache(800_000);
  const reader = openReader({ uri, vectorCache: residents });
  await untilResident(residents, () => searchOf(reader, one)(vector()), 1);
  await untilResident(residents, () => searchOf(reader, other)(vector()), 2);
  const own = vector();
  await other.upsert(...makeRows(500, () => [vector(), '', {}], 'more'), makeRow('own', own));
  assert.equal((await searchOf(reader, other)(own))[0]?.row.id, 'own');
  assert.equal(residents.loaded(), 1);
});

test('a table is searched while its handle runs other queries', async (context) => {
  const bench = await openBench(temporaryDirectory(context), { dimensions: 3 });
  await bench.upsert(...makeRows(50, (at) => [[at + 1, 1, 0], '', {}]));
  for (let round = 0; round < 20; round += 1) {
    const reader = openReader({ uri: bench.uri, vectorCache: vectorCache(mebibyte) });
    const searches = Array.from({ length: 4 }, () => searchOf(reader, bench)([1, 1, 0]));
    const counts = Array.from({ length: 4 }, () => reader.count(bench.ref()));
    for (const hits of await Promise.all(searches)) assert.deepEqual(idsOf(hits), ['row0', 'row1', 'row2']);
    assert.deepEqual(await Promise.all(counts), [50, 50, 50, 50]);
  }
});

test('a branch in the vector cache masks rows of its cached parent', async (context) => {
  const uri = temporaryDirectory(context);
  const main = await openBench(uri, { dimensions: 3 });
  await main.upsert(...makeRows(50, (at) => [[at + 1, 1, 0], '', {}]));
  const branch = await openBench(uri, { dimensions: 3, table: 'branch', ancestors: main.ref().layers });
  await branch.upsert(makeRow('row0', [0, 0, 1]), makeRow('new', [1, 1, 0]));
  await branch.commit({ kind: 'delete', ids: ['row1'] });
  const residents = vectorCache(mebibyte);
  const search = searchOf(openReader({ uri, vectorCache: residents }), branch);
  await untilResident(residents, () => search([1, 1, 0]), 2);
  const hits = await search([1, 1, 0]);
  assert.deepEqual(idsOf(hits), ['new', 'row2', 'row3']);
  assert.deepEqual(
    hits.map(({ layer }) => layer),
    [0, 1, 1],
  );
});

test('exact searches use the engine, also with a filter, and tables evict one another from the vector cache', async (context) => {
  const uri = temporaryDirectory(context);
  const next = seededNumbers(3);
  const open = async (table: string): Promise<Bench> => {
    const bench = await openBench(uri, { dimensions: 64, table });
    await bench.upsert(...makeRows(400, (at) => [Array.from({ length: 64 }, next), '', { even: at % 2 === 0 }]));
    return bench;
  };
  const [one, other] = [await open('one'), await open('other')];
  // Room for one of them.
  const residents = vectorCache(400_000);
  const reader = openReader({ uri, vectorCache: residents });
  const vector = Array.from({ length: 64 }, next);
  await untilResident(residents, () => searchOf(reader, one)(vector), 1);
  const first = await searchOf(reader, one)(vector);
  assert.deepEqual(idsOf(first), idsOf(await searchOf(reader, one)(vector, { exact: true })));
  const odd = { filter: { even: false } };
  const exactly = await searchOf(reader, one)(vector, { ...odd, exact: true });
  assert.ok(exactly.length === 3 && exactly.every(({ row }) => row.metadata['even'] === false));
  for (let asked = 0; asked < 3; asked += 1)
    assert.deepEqual(idsOf(await searchOf(reader, one)(vector, odd)), idsOf(exactly));
  for (let asked = 0; asked < 5; asked += 1) {
    const hits = await searchOf(reader, other)(vector);
    assert.deepEqual(idsOf(hits), idsOf(await searchOf(reader, other)(vector, { exact: true })));
    await setImmediate();
  }
  assert.ok(residents.loaded() <= 1);
  assert.deepEqual(idsOf(await searchOf(reader, one)(vector)), idsOf(first));
});
