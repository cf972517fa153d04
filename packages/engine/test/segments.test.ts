import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Change, IndexRef, Row } from '../src/port.ts';
import { bucketStore } from '../src/segments/bucket-store.ts';
import { directoryStore } from '../src/segments/directory-store.ts';
import { decodeHalves, encodeHalves } from '../src/segments/half-vectors.ts';
import { encodeLists, InvertedLists, type KeyedOccurrences, occurrencesOf } from '../src/segments/inverted-lists.ts';
import type { ObjectStore } from '../src/segments/object-store.ts';
import type { MergeBounds } from '../src/segments/write-version.ts';
import { randomFrom } from '../../../test/support/random.ts';
import { openCountedStore } from '../../../test/support/counted-store.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';
import { exploreTrees } from './support/explore-tree.ts';
import {
  listAll,
  makeRow,
  makeRows,
  openBench,
  openEngines,
  seededNumbers,
  tinyBounds,
} from './support/index-bench.ts';

/** Bounds with which segments are merged, and never folded. */
const mergingBounds: MergeBounds = { ...tinyBounds, foldBytes: Infinity };

test('any sequence of writes, branches, promotions, drops, merges and restarts of small indexes matches a model of plain maps', async () => {
  const { sequences, steps } = await exploreTrees(7, 60, (uri) => openEngines(uri, { bounds: mergingBounds }));
  assert.equal(sequences, 60);
  assert.ok(steps.size === 12, [...steps.keys()].join(' '));
});

/** A store that dies at some writes: before them, or after them and without a reply. */
const dyingStore = (store: ObjectStore, random: () => number): ObjectStore => ({
  ...store,
  create: async (key, body) => {
    const chance = random();
    if (chance < 0.15) throw new Error('died before a write');
    const isWritten = await store.create(key, body);
    if (chance < 0.3) throw new Error('died after a write');
    return isWritten;
  },
});

/** Applies changes by writers that run at once and die. Each change is repeated until a writer has its result. */
const commitConcurrently = async (
  uri: string,
  seed: number,
  bounds: MergeBounds,
): Promise<ReadonlyMap<string, string>> => {
  const random = randomFrom(seed);
  const writers = [0, 1, 2].map(
    () => openEngines(uri, { objects: dyingStore(directoryStore(uri), random), bounds }).writer,
  );
  // The version of a record may lag behind: a writer died before it saved the record.
  let recorded = 1;
  const ref = (): IndexRef => ({
    dimensions: 2,
    metric: 'cosine',
    nonFilterableKeys: [],
    layers: [{ table: 'main', version: recorded }],
  });
  const applied = new Map<string, string>();
  const makeChange = (key: string): Change => {
    const ids = Array.from({ length: 1 + Math.floor(random() * 6) }, () => `row${Math.floor(random() * 30)}`);
    if (random() < 0.3) return { kind: 'delete', ids };
    return { kind: 'upsert', rows: [...new Set(ids)].map((id) => makeRow(id, [1, random()], { text: key })) };
  };
  await openEngines(uri).writer.create({ ...ref(), layers: [{ table: 'main', version: 0 }] });
  for (let round = 0; round < 40; round += 1) {
    const key = `change ${round}`;
    const change = makeChange(key);
    const results: string[] = [];
    // The same message is applied by several runs at once, as after a run that was thought dead.
    const attempt = async (at: number): Promise<void> => {
      const writer = writers[at % writers.length];
      try {
        const done = await writer?.commit(ref(), [change], [key]);
        if (done === undefined) return;
        results.push(JSON.stringify(done.results));
        if (random() < 0.7) recorded = Math.max(recorded, done.state.version);
      } catch (error) {
        assert.match(String(error), /died (?:before|after) a write/);
      }
    };
    do await Promise.all([attempt(round), attempt(round + 1)]);
    while (results.length === 0);
    assert.equal(new Set(results).size, 1, key);
    if (change.kind === 'upsert') for (const { id } of change.rows) applied.set(id, key);
    if (change.kind === 'delete') for (const id of change.ids) applied.delete(id);
    if (round % 7 === 0)
      await writers[round % 3]
        ?.maintain(ref(), { keepSeconds: 60, keepVersions: [] })
        .catch((error: unknown) => assert.match(String(error), /died/));
  }
  return applied;
};

for (const seed of [1, 2, 3, 4, 5, 6, 7, 8])
  test(`writers that run at once and die at any write lose and double no row (seed ${seed})`, async () => {
    const uri = temporaryDirectory();
    // Every other seed folds segments into tables.
    const applied = await commitConcurrently(uri, seed, seed % 2 === 0 ? tinyBounds : mergingBounds);
    const bench = await openBench(uri, { dimensions: 2 });
    const { rows } = await bench.reader.list(bench.ref(), { after: null, limit: 100 });
    assert.deepEqual(
      new Map(rows.map(({ id, version = '' }) => [id, version])),
      new Map([...applied].toSorted(([one], [other]) => (one < other ? -1 : 1))),
    );
    assert.equal(bench.state().rows, applied.size);
    for (const { id, text, version } of rows) assert.equal(text, version, id);
  });

test('a change whose run died before its version was recorded is found by the look-up of another process', async () => {
  const uri = temporaryDirectory();
  const bench = await openBench(uri, { dimensions: 2 });
  await bench.upsert(makeRow('a', [1, 1]));
  const recorded = bench.ref();
  await bench.commitAs(['lost'], { kind: 'upsert', rows: [makeRow('b', [1, 2]), makeRow('c', [1, 3])] });
  const lookUp = { kind: 'upsert', rows: [] } as const;
  const { state, results } = await openEngines(uri).writer.commit(recorded, [lookUp], ['lost']);
  assert.deepEqual([results, state.rows], [[{ written: 2, deleted: 0 }], 3]);
  const others = await openEngines(uri).writer.commit(recorded, [lookUp], ['never applied']);
  assert.deepEqual(others.results, [{ written: 0, deleted: 0 }]);
});

const filesOf = (uri: string): readonly string[] =>
  readdirSync(uri, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();

test('a changed byte anywhere in a version is reported as damage, and never returns other rows', async () => {
  const uri = temporaryDirectory();
  const bench = await openBench(uri, { dimensions: 2 });
  const rows = makeRows(40, (number) => [[1, number], `apple number ${number}`, { n: number }]);
  await bench.upsert(...rows);
  const file = filesOf(uri).at(-1) ?? '';
  const bytes = readFileSync(file);
  const readAll = async () => {
    const { reader } = openEngines(uri);
    // Without the copy of the manifest in the record of the index.
    const ref = { ...bench.ref(), manifest: '' };
    const listed = await reader.list(ref, { after: null, limit: 100, filter: { n: { $gte: 0 } }, includeVector: true });
    const vector = Float32Array.of(1, 1);
    const dense = await reader.search(ref, { mode: 'dense', vector, topK: 5 });
    const sparse = await reader.search(ref, { mode: 'sparse', text: '"apple number" the', topK: 5 });
    return { listed, dense, sparse };
  };
  const whole = await readAll();
  assert.equal(whole.listed.rows.length, 40);
  const random = randomFrom(11);
  for (let at = 0; at < bytes.length; at += 1 + Math.floor(random() * 40)) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    writeFileSync(file, damaged);
    // The checksum of texts' stop words is not read here, and neither is a bit that no reader uses.
    const found = await readAll().catch((error: unknown) => error);
    if (found instanceof Error)
      assert.match(`${found.name}: ${found.message}`, /DamagedIndex|is no segment/, `byte ${at}`);
    else assert.deepEqual(found, whole, `byte ${at}`);
  }
  writeFileSync(file, bytes.subarray(0, bytes.length / 2));
  await assert.rejects(readAll(), { name: 'DamagedIndex' });
});

test('collection removes what no kept version names, and every version that a branch is based on stays readable', async () => {
  const uri = temporaryDirectory();
  const bench = await openBench(uri, {
    dimensions: 2,
    engines: openEngines(uri, { bounds: mergingBounds }),
  });
  const rowsOf = (round: number): readonly Row[] =>
    makeRows(20, (number) => [[1, number], `round ${round}`, { round }], `r${round % 3}_`);
  const kept: { readonly ref: IndexRef; readonly round: number; readonly ids: readonly string[] }[] = [];
  for (let round = 0; round < 20; round += 1) {
    await bench.upsert(...rowsOf(round));
    if (round % 6 === 0) kept.push({ ref: bench.ref(), round, ids: await listAll(bench) });
    await bench.maintain(
      0,
      kept.map(({ ref }) => ref.layers[0].version),
    );
  }
  for (const { ref, round, ids } of kept) {
    const { version, table } = ref.layers[0];
    const { reader } = openEngines(uri);
    const branch = {
      ...ref,
      manifest: '',
      layers: [
        { table: 'none', version: 0 },
        { table, version },
      ],
    } as const;
    const page = await reader.list(branch, { after: null, limit: 100 });
    assert.deepEqual([page.rows.map(({ id }) => id), page.rows.at(0)?.metadata['round']], [ids, round - (round % 3)]);
  }
  // Merged segments are kept for the time that a merge may take.
  const clock = { now: () => new Date(Date.now() + 3 * 60 * 60 * 1_000) };
  const later = await openBench(uri, {
    dimensions: 2,
    engines: openEngines(uri, { bounds: mergingBounds, clock }),
  });
  await later.maintain(0);
  // The first version, the newest, and its segments.
  assert.ok(filesOf(uri).length <= 2 + mergingBounds.maxLive, filesOf(uri).join('\n'));
  assert.equal((await listAll(later)).length, 60);
});

test('small commits to an index with large segments do not write these again each time', async () => {
  const uri = temporaryDirectory();
  const bounds: MergeBounds = {
    ...mergingBounds,
    smallBytes: 20_000,
    maxAbsorbedBytes: 60_000,
    maxLive: 4,
    mergeFactor: 16,
  };
  const bench = await openBench(uri, { dimensions: 64, engines: openEngines(uri, { bounds }) });
  const next = seededNumbers(31);
  const rowsOf = (start: number, count: number) =>
    Array.from({ length: count }, (_, at) => makeRow(`row${start + at}`, Array.from({ length: 64 }, next)));
  for (const [at, count] of [1_600, 800, 400, 200].entries()) await bench.upsert(...rowsOf(at * 2_000, count));
  let runs = 0;
  for (let commit = 0; commit < 40; commit += 1) {
    await bench.upsert(...rowsOf(10_000 + commit, 1));
    if (bench.state().maintenance === 'none') continue;
    runs += 1;
    await bench.maintain(0);
  }
  assert.ok(runs > 0 && runs <= 4, `${runs} merges`);
  assert.equal(bench.state().rows, 3_040);
});

test('a large index has one table, which a branch shares until it has one of its own, and a dropped index has none', async () => {
  const uri = temporaryDirectory();
  const engines = openEngines(uri, { bounds: tinyBounds });
  const bench = await openBench(uri, { dimensions: 2, engines });
  const names = (): readonly string[] => readdirSync(join(uri, 'tables'));
  await bench.upsert(...makeRows(300, (number) => [[1, number], `apple ${number}`, { n: number % 7 }]));
  await bench.maintain();
  assert.equal(names().length, 1);
  assert.equal(bench.state().unindexedRows, 0);
  const [parent] = bench.ref().layers;
  const branch = await openBench(uri, { dimensions: 2, engines, table: 'branch', ancestors: [parent] });
  await branch.commit({ kind: 'deleteWhere', filter: { n: 3 } });
  await branch.upsert(makeRow('row1', [0, 1], { text: 'pear' }), makeRow('own', [0, 1], { text: 'pear' }));
  const { differences: before } = await branch.reader.diff(branch.ref(), { after: null, limit: 100 });
  assert.equal(names().length, 1);
  await branch.maintain();
  assert.equal(names().length, 2);
  assert.deepEqual((await branch.reader.diff(branch.ref(), { after: null, limit: 100 })).differences, before);
  assert.equal(before.length, 45);
  for (const { state, ref, reader } of [bench, branch]) {
    assert.equal((await reader.list(ref(), { after: null, limit: 1_000 })).rows.length, state().rows);
    assert.equal(await reader.count(ref(), { n: { $exists: true } }), state().rows - (state().rows === 300 ? 0 : 2));
  }
  await branch.writer.drop('branch');
  assert.equal(names().length, 1);
  await bench.writer.drop('main');
  assert.deepEqual(names(), []);
});

test('rows of a table stay removed when segments that only have removals are merged', async () => {
  const uri = temporaryDirectory();
  const folding = await openBench(uri, { dimensions: 2, bounds: tinyBounds });
  await folding.upsert(...makeRows(40, (number) => [[1, number], 'apple', {}]));
  await folding.maintain();
  const bench = await openBench(uri, { dimensions: 2, bounds: { ...mergingBounds, maxAbsorbedBytes: 0 } });
  for (let at = 0; at < 5; at += 1) await bench.commit({ kind: 'delete', ids: [`row${at}`] });
  await bench.maintain();
  assert.equal(bench.state().rows, 35);
  assert.equal((await listAll(bench)).length, 35);
});

for (const [place, bounds] of [
  ['segments', mergingBounds],
  ['a table', { ...tinyBounds, foldBytes: 10_000 }],
] as const)
  test(`removed and replaced rows leave the files of ${place} after maintenance that purges, and time`, async () => {
    const uri = temporaryDirectory();
    let hours = 0;
    const clock = { now: () => new Date(Date.now() + hours * 60 * 60 * 1_000) };
    const engines = openEngines(uri, { bounds, clock });
    const bench = await openBench(uri, { dimensions: 64, engines });
    const random = randomFrom(3);
    const vector = (): readonly number[] => Array.from({ length: 64 }, () => random() - 0.5);
    const rows = makeRows(200, () => [vector(), '', {}]);
    await bench.upsert(...rows);
    await bench.maintain();
    const [kept, removed, replaced] = rows.map((row) => Buffer.from(row.vector.buffer));
    const filesWith = (bytes: Buffer | undefined): number =>
      filesOf(uri).filter((file) => readFileSync(file).includes(bytes ?? '')).length;
    const purge = async (keepVersions: readonly number[]): Promise<void> => {
      hours += 6;
      const retention = { keepSeconds: 60, keepVersions, purge: true };
      await bench.writer.maintain(bench.ref(), retention);
      await bench.writer.collect(bench.ref(), retention);
    };
    const [{ version }] = bench.ref().layers;
    await bench.commit({ kind: 'delete', ids: ['row1'] });
    for (let run = 0; run < 3; run += 1) await purge([version]);
    assert.ok(filesWith(removed) > 0, 'a version that is read keeps its rows');
    for (let run = 0; run < 3; run += 1) await purge([]);
    assert.deepEqual([filesWith(removed), filesWith(replaced)], [0, 1]);
    await bench.upsert(makeRow('row2', vector()));
    for (let run = 0; run < 3; run += 1) await purge([]);
    assert.deepEqual([filesWith(replaced), filesWith(kept)], [0, 1]);
    const files = filesOf(uri);
    await purge([]);
    assert.deepEqual(filesOf(uri), files, 'there is nothing more to purge');
    assert.equal((await listAll(bench)).length, 199);
    const { reader } = openEngines(uri);
    assert.equal((await reader.list(bench.ref(), { after: null, limit: 1_000 })).rows.length, 199);
  });

test('a commit between a merge and its version keeps its changes', async () => {
  const uri = temporaryDirectory();
  const plain = directoryStore(uri);
  let between = async (): Promise<void> => {};
  // The writer of the log commits while the merged segment is written.
  const store: ObjectStore = {
    ...plain,
    create: async (key, body) => {
      const isWritten = await plain.create(key, body);
      if (key.includes('/merged/')) await between();
      return isWritten;
    },
  };
  const bench = await openBench(uri, { dimensions: 2, engines: openEngines(uri, { bounds: mergingBounds }) });
  for (let round = 0; round < 4; round += 1)
    await bench.upsert(...makeRows(20, (number) => [[1, number], `apple ${round}`, {}], `r${round}_`));
  const merging = await openBench(uri, {
    dimensions: 2,
    engines: openEngines(uri, { objects: store, bounds: mergingBounds }),
  });
  between = async () => {
    await bench.upsert(makeRow('r1_3', [0, 1], { text: 'pear' }), makeRow('new', [1, 1], { text: 'pear' }));
    await bench.commit({ kind: 'delete', ids: ['r2_7', 'r3_0'] });
  };
  await merging.maintain();
  assert.equal(merging.state().rows, 79);
  const ids = await listAll(merging);
  assert.deepEqual(
    [ids.length, ids.includes('r2_7'), ids.includes('r3_0'), ids.includes('new')],
    [79, false, false, true],
  );
  const pears = await merging.reader.search(merging.ref(), { mode: 'sparse', text: 'pear', topK: 10 });
  assert.deepEqual(pears.map(({ row }) => row.id).toSorted(), ['new', 'r1_3']);
});

test('a small index costs one request for a first search of any kind, one for a commit, and none for another search', async (context) => {
  const counted = await openCountedStore();
  context.after(() => counted.close());
  const open = () => openEngines('', { objects: bucketStore('us-east-1', counted.bucket, 'org/', counted.client) });
  const bench = await openBench('', { dimensions: 8, engines: open() });
  const vector = (row: number): readonly number[] =>
    Array.from({ length: 8 }, (_, axis) => 1 + ((row * (axis + 3)) % 17));
  const rows = makeRows(1_000, (row) => [vector(row), `apple ${row % 50} and text`, { n: row % 10 }]);
  assert.deepEqual(await counted.count(() => bench.upsert(...rows)), { PUT: 1 });
  assert.deepEqual(await counted.count(() => bench.upsert(...makeRows(1, () => [vector(3), 'pear', {}]))), { PUT: 1 });
  const fusion = { method: 'rrf', k: 60, denseWeight: 0.5 } as const;
  const sides = { vector: Float32Array.from(vector(7)), text: '"apple 3" text', fusion, topK: 10 };
  for (const mode of ['dense', 'sparse', 'hybrid'] as const)
    for (const filter of [{}, { n: { $gt: 4 } }]) {
      const { reader } = open();
      const search = () => reader.search(bench.ref(), { mode, filter, ...sides });
      assert.deepEqual(await counted.count(search), { GET: 1 }, mode);
      assert.deepEqual(await counted.count(search), {}, mode);
    }
  const { reader } = open();
  // Without a manifest in the record, the last bytes of the version contain it.
  assert.deepEqual(await counted.count(() => reader.count({ ...bench.ref(), manifest: '' })), { GET: 1 });
  // A writer reads the version with its journal, and merges what is small.
  const { writer } = open();
  const cost = await counted.count(() => writer.commit(bench.ref(), [{ kind: 'upsert', rows: rows.slice(0, 1) }]));
  assert.deepEqual(cost, { GET: 1, PUT: 1 });
  // A second object with the same key is refused, also with other content.
  const store = bucketStore('us-east-1', counted.bucket, 'org/', counted.client);
  assert.equal(await store.create('main/versions/000000000002', [Buffer.from('other')]), false);
  assert.equal((await store.list('main/versions/')).length, 4);
  await store.remove(['main/versions/000000000002', 'main/absent']);
  assert.equal(await store.read('main/versions/000000000002', { last: 10 }), null);
});

test('a fold is recorded after few requests, however many versions were committed meanwhile', async () => {
  const uri = temporaryDirectory();
  const bench = await openBench(uri, { dimensions: 2, bounds: mergingBounds });
  await bench.upsert(...makeRows(60, (number) => [[1, number], 'apple', {}]));
  const plain = directoryStore(uri);
  let requests = 0;
  const objects: ObjectStore = {
    ...plain,
    read: (...of) => {
      requests += 1;
      return plain.read(...of);
    },
    list: (...of) => {
      requests += 1;
      return plain.list(...of);
    },
    create: async (key, body) => {
      // The set of rows is the last thing that a fold writes before its version.
      if (key.includes('/rows/')) {
        for (let commit = 0; commit < 30; commit += 1)
          await bench.commit(
            commit % 2 === 0
              ? { kind: 'delete', ids: [`row${commit}`] }
              : { kind: 'upsert', rows: [makeRow(`row${commit}`, [2, 2], { text: 'pear' })] },
          );
        requests = 0;
      }
      return plain.create(key, body);
    },
  };
  const { writer } = openEngines(uri, { objects, bounds: tinyBounds });
  const state = await writer.maintain(bench.ref(), { keepSeconds: 3_600, keepVersions: [] });
  // One for each segment with rows that have died, and a few for the newest version.
  assert.ok(requests < 25, `${requests} requests`);
  assert.equal(state.rows, 45);
  const ref = { ...bench.ref(), manifest: state.manifest };
  const hits = await bench.reader.search(ref, { mode: 'sparse', text: 'pear', topK: 100 });
  const left = await bench.reader.search(ref, { mode: 'sparse', text: 'apple', topK: 100 });
  assert.deepEqual([hits.length, left.length], [15, 30]);
});

test('vectors of any size keep eleven significant bits in half precision', () => {
  const random = randomFrom(5);
  const width = 8;
  const scales = [1e-30, 1e-15, 1e-6, 0.01, 1, 100, 60_000, 1e6, 3e18];
  const vectors = Float32Array.from(
    scales.flatMap((scale) => Array.from({ length: width }, () => scale * (random() + 0.5))),
  );
  const decoded = new Float32Array(vectors.length);
  decodeHalves(encodeHalves(vectors, width, false), scales.length, width, decoded);
  for (const [at, number] of vectors.entries())
    assert.ok(Math.abs((decoded[at] ?? 0) / number - 1) <= 2 ** -11, `${number} is read as ${decoded[at]}`);
});

test('inverted lists return the rows, counts and positions that were written, and no absent key', () => {
  const random = randomFrom(3);
  const keys = Array.from({ length: 300 }, (_, at) => `key ${at % 7 === 0 ? '\u{1F600}' : ''}${at}é`);
  const all: KeyedOccurrences = new Map();
  for (const key of keys) {
    const list = occurrencesOf(all, key);
    for (let row = 0; row < 2_000; row += 1 + Math.floor(random() * 900)) {
      const count = random() < 0.7 ? 1 : 2 + Math.floor(random() * 300);
      list.rows.push(row);
      list.counts.push(count);
      let position = 0;
      for (let at = 0; at < count; at += 1) list.positions.push((position += 1 + Math.floor(random() * 20_000)));
    }
  }
  const { lists, positions } = encodeLists(all, [3, 0, 70_000]);
  const read = new InvertedLists(Buffer.concat([Buffer.alloc(1), lists]).subarray(1));
  assert.deepEqual([...read.lengths], [3, 0, 70_000]);
  for (const key of keys) {
    const number = read.find(key);
    const found = read.rowsOf(number);
    const { rows, counts, positions: wanted } = occurrencesOf(all, key);
    assert.deepEqual([found.rows, found.counts], [rows, counts], key);
    assert.deepEqual(read.positionsOf(number, found, positions).flat(), wanted, key);
  }
  for (const key of ['', 'key', 'key 1', 'zzz', '\u{10FFFF}']) assert.equal(read.find(key), -1, key);
});
