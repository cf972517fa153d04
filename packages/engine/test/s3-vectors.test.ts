import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type OpenCloud, compileVectorFilter } from '../../local-cloud/src/index.ts';
import type { JsonObject } from '../../../shared/kernel/json.ts';
import { s3VectorsClient } from '../../../shared/platform/aws/s3-vectors-client.ts';
import type { Filter } from '../src/filter.ts';
import { matcherOf } from '../src/match-filter.ts';
import type { Change, IndexRef, Row } from '../src/port.ts';
import { compileFilter } from '../src/s3-vectors/compile-filter.ts';
import { encodeRow } from '../src/s3-vectors/encode-row.ts';
import { openReader } from '../src/s3-vectors/open-reader.ts';
import { openWriter } from '../src/s3-vectors/open-writer.ts';
import { openVectorIndex } from '../src/s3-vectors/vector-index.ts';
import { clientSettings, openFixtureCloud } from '../../local-cloud/test/fixture-cloud.ts';
import { exploreChanges } from './support/explore-changes.ts';
import { type FailingProxy, openFailingProxy } from './support/failing-proxy.ts';
import { randomFrom } from '../../../test/support/random.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';

const location = { region: 'us-east-1', vectorBucketName: 'fixture-vectors', organizationId: 'org_one' };
const cleanups: (() => void)[] = [];
let cloud: OpenCloud;
let proxy: FailingProxy;
let tables = 0;

before(async () => {
  cloud = await openFixtureCloud(temporaryDirectory());
  const { endpoint, credentials } = clientSettings(cloud);
  proxy = await openFailingProxy(endpoint);
  process.env['AWS_ENDPOINT_URL_S3VECTORS'] = proxy.url;
  process.env['AWS_ACCESS_KEY_ID'] = credentials.accessKeyId;
  process.env['AWS_SECRET_ACCESS_KEY'] = credentials.secretAccessKey;
});

after(async () => {
  s3VectorsClient(location.region).destroy();
  await proxy.close();
  await cloud.close();
  for (const cleanup of cleanups) cleanup();
});

const newRef = (): IndexRef => {
  tables += 1;
  return {
    dimensions: 2,
    metric: 'cosine',
    nonFilterableKeys: ['raw'],
    layers: [{ table: `idx_${tables}`, version: 1 }],
  };
};

const makeRow = (id: string, more: Partial<Row> = {}): Row => ({
  id,
  vector: Float32Array.of(1, 0.5),
  text: null,
  metadata: {},
  jobId: null,
  filename: null,
  pageStart: null,
  pageEnd: null,
  ...more,
});

test('a compiled filter matches in Amazon S3 Vectors exactly the rows that the filter matches', () => {
  const random = randomFrom(5);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const values = [0, 1, -1, 2.5, 'a', '1', '', true, false, null, { x: 1 }];
  const keys = ['a', 'b', 'a.x', 'raw', '*', 'k'.repeat(80)];
  const value = () => pick<JsonObject[string]>([...values, [], ['a', 1], [1, 2], [{ x: 'a' }]]);
  const metadata = (): JsonObject =>
    Object.fromEntries(keys.flatMap((key) => (random() < 0.5 ? [[key, value()]] : [])));
  const condition = (): Filter => {
    const bound = pick([0, 1, -1, 2.5]);
    const some = [pick(values), pick(values)];
    const operand = pick([
      { $eq: pick(values) },
      { $ne: pick(values) },
      { $in: some },
      { $nin: some },
      { $in: [] },
      { $nin: [] },
      { $gt: bound },
      { $gte: bound, $lt: 2 },
      { $lte: bound },
      { $exists: random() < 0.5 },
    ]);
    return { [pick(['a', 'b', 'a.x', '*', 'k'.repeat(80)])]: operand };
  };
  const filter = (depth: number): Filter => {
    const kind = depth === 0 ? 'one' : pick(['one', '$and', '$or', '$not', 'empty']);
    if (kind === 'empty') return {};
    if (kind === '$not') return { $not: filter(depth - 1) };
    return kind === 'one' ? condition() : { [kind]: [filter(depth - 1), filter(depth - 1)] };
  };
  const ref = newRef();
  for (let round = 0; round < 10_000; round += 1) {
    const wanted = filter(2);
    const row = makeRow('row', { metadata: metadata() });
    const stored = encodeRow(row, 'v', ref).metadata;
    const found = compileVectorFilter(compileFilter(wanted), ['text', 'meta', 'row'])(stored);
    assert.equal(found, matcherOf(wanted, ref)(row.metadata), JSON.stringify([wanted, row.metadata]));
  }
});

test('rows are written, searched by vector, text and both, fetched, counted and deleted with exact counts', async () => {
  const [writer, reader, ref] = [openWriter(location), openReader(location), newRef()];
  await writer.create(ref);
  const rows = ['red fox', 'red wolf', 'blue whale'].map((text, at) =>
    makeRow(`row ${at}`, { text, vector: Float32Array.of(1, at), metadata: { at, deep: { tags: ['x', null] } } }),
  );
  const first = await writer.commit(ref, [{ kind: 'upsert', rows }], ['one']);
  assert.deepEqual([first.state.rows, first.state.sparseBytes, first.results], [3, 25, [{ written: 3, deleted: 0 }]]);
  const vector = Float32Array.of(1, 2);
  const ids = async (query: object) =>
    (await reader.search(ref, { topK: 5, ...query } as never)).map(({ row }) => row.id);
  assert.deepEqual(await ids({ mode: 'dense', vector }), ['row 2', 'row 1', 'row 0']);
  assert.deepEqual(await ids({ mode: 'sparse', text: 'foxes' }), ['row 0']);
  const fusion = { method: 'rrf', k: 10, denseWeight: 0.1 };
  assert.deepEqual(await ids({ mode: 'hybrid', vector, text: 'fox', fusion }), ['row 0', 'row 2', 'row 1']);
  assert.deepEqual(await ids({ mode: 'dense', vector, filter: { at: { $gte: 1 }, 'deep.tags': null } }), [
    'row 2',
    'row 1',
  ]);
  const [fetched] = await reader.fetch(ref, ['row 1', 'absent'], true);
  assert.deepEqual([fetched?.metadata, fetched?.vector], [rows[1]?.metadata, rows[1]?.vector]);
  const repeated = await writer.commit(ref, [{ kind: 'upsert', rows }], ['one']);
  assert.deepEqual([repeated.state, repeated.results], [first.state, first.results]);
  const changes = [
    { kind: 'patch', patches: [{ id: 'row 0', metadata: { at: 9 } }], maxBytes: 1_000 },
    { kind: 'deleteWhere', filter: { at: { $gte: 2 } } },
  ] as const;
  const second = await writer.commit(ref, changes, ['two', 'three']);
  assert.deepEqual(second.results, [
    { written: 1, deleted: 0, missing: [] },
    { written: 0, deleted: 2 },
  ]);
  assert.deepEqual([second.state.rows, second.state.sparseBytes, await reader.count(ref)], [1, 8, 1]);
  await writer.drop(ref.layers[0].table);
  const damaged = { name: 'DamagedIndex' };
  await assert.rejects(ids({ mode: 'dense', vector }), damaged);
  await assert.rejects(reader.list(ref, { after: null, limit: 3 }), damaged);
  await assert.rejects(reader.count(ref), damaged);
  await assert.rejects(writer.commit(ref, changes, ['four', 'five']), damaged);
});

test('a row that does not fit is refused with its bytes and the limit before any row is written', async () => {
  const [writer, reader, ref] = [openWriter(location), openReader(location), newRef()];
  await writer.create(ref);
  const tags = Array.from({ length: 100 }, (_, at) => `a tag of some length ${at}`);
  const rows = [makeRow('small'), makeRow('large', { metadata: { tags } })];
  const { results } = await writer.commit(ref, [{ kind: 'upsert', rows }], ['one']);
  assert.match(results[0]?.unsupported ?? '', /"large" does not fit: .* \d+ bytes of filterable .* at most 2048/);
  assert.deepEqual([await reader.count(ref), await reader.fetch(ref, ['small'], false)], [0, []]);
  const hidden = makeRow('hidden', { metadata: { raw: tags } });
  await writer.commit(ref, [{ kind: 'upsert', rows: [hidden] }], ['two']);
  assert.equal(await reader.count(ref), 1);
});

/** Rows of a job whose vectors and texts name the job. */
const jobRows = (jobId: string, ids: readonly string[]): readonly Row[] =>
  ids.map((id) => makeRow(id, { jobId, text: `content of ${jobId}` }));

/** Opens an index with a row of no job and the rows `a` and `b` of the job `old`. */
const openReplaceable = async () => {
  const [writer, reader, ref] = [openWriter(location), openReader(location), newRef()];
  await writer.create(ref);
  const rows = [makeRow('own', { text: 'own' }), ...jobRows('old', ['a', 'b'])];
  await writer.commit(ref, [{ kind: 'upsert', rows }], ['first']);
  const found = async () => {
    const hits = await reader.search(ref, { mode: 'sparse', text: 'content', topK: 10 });
    return hits.map(({ row: { id, jobId } }) => `${jobId} ${id}`).toSorted();
  };
  return { writer, reader, ref, found };
};

const replacement = {
  kind: 'replaceJob',
  oldJobId: 'old',
  rows: jobRows('new', ['b', 'c', 'd']),
  maxBytes: 10_000_000,
} as const;

test('a search finds the rows of a replaced job or of its replacement, at every point at which a write can fail', async () => {
  let [points, settling] = [0, 0];
  // A reply that is lost at one request leaves the same as a process that dies before the next.
  for (let at = 1; ; at += 1) {
    const { writer, ref, found, reader } = await openReplaceable();
    const commit = () => writer.commit(ref, [replacement], ['replace']);
    proxy.failFrom(at, 'lost');
    const isWhole = await commit().then(
      () => true,
      () => false,
    );
    proxy.failFrom(Infinity, 'lost');
    if (isWhole) break;
    points += 1;
    // Reads would wait until the row that both jobs have is written.
    const isSettling = (await openVectorIndex(location, ref.layers[0].table).readJournal())?.isSettling === true;
    const seen = isSettling ? [] : await found();
    const isOld = seen.some((hit) => hit.startsWith('old'));
    assert.deepEqual(seen, isSettling ? [] : isOld ? ['old a', 'old b'] : ['new b', 'new c', 'new d'], `at ${at}`);
    settling += isSettling ? 1 : 0;
    const repeated = await commit();
    assert.deepEqual(repeated.results, [{ written: 3, deleted: 1 }], `at ${at}`);
    assert.deepEqual([repeated.state.rows, repeated.state.sparseBytes], [4, 3 + 3 * 14]);
    assert.deepEqual(await found(), ['new b', 'new c', 'new d']);
    assert.equal(await reader.count(ref, {}), 4);
    const removal = await writer.commit(ref, [{ kind: 'deleteJob', jobId: 'new' }], ['remove']);
    assert.deepEqual([removal.state.rows, removal.results], [1, [{ written: 0, deleted: 3 }]]);
  }
  assert.ok(points >= 14 && settling >= 2, `${points} points, ${settling} of them before the last rows are written`);
});

test('reads during replacements and deletions of files see each file whole or not at all', async () => {
  const { writer, reader, ref } = await openReplaceable();
  const content = (job: string) => jobRows(job, ['a', 'b', 'c', 'd']);
  const over = new AbortController();
  let reads = 0;
  const write = async (): Promise<void> => {
    await writer.commit(ref, [{ ...replacement, rows: content('file 0') }], ['first replacement']);
    for (let at = 1; at <= 12; at += 1) {
      const [old, next] = [`file ${at - 1}`, `file ${at}`];
      const change = { ...replacement, oldJobId: old, rows: content(next) };
      await writer.commit(ref, [change], [`replace ${at}`]);
      if (at % 4 !== 0) continue;
      await writer.commit(ref, [{ kind: 'deleteJob', jobId: next }], [`delete ${at}`]);
      await writer.commit(ref, [{ kind: 'upsert', rows: content(next) }], [`write ${at}`]);
    }
    over.abort();
  };
  const whole = (found: readonly { readonly jobId: string | null }[], what: string): void => {
    const jobs = found.flatMap(({ jobId }) => jobId ?? []);
    const expected = jobs[0] === 'old' ? 2 : 4;
    assert.ok(jobs.length === 0 || (new Set(jobs).size === 1 && jobs.length === expected), `${what}: ${jobs.join()}`);
    reads += 1;
  };
  const vector = Float32Array.of(1, 0.5);
  const fusion = { method: 'rrf', k: 60, denseWeight: 0.5 } as const;
  const kinds: readonly (() => Promise<void>)[] = [
    async () => whole((await reader.list(ref, { after: null, limit: 100 })).rows, 'list'),
    async () => whole(await reader.fetch(ref, ['a', 'b', 'c', 'd'], true), 'fetch'),
    async () => {
      const hits = await reader.search(ref, { mode: 'hybrid', vector, text: 'content', topK: 10, fusion });
      whole(
        hits.map(({ row }) => row),
        'search',
      );
    },
    async () => {
      const found = await reader.search(ref, { mode: 'dense', vector, topK: 10, includeVector: true });
      whole(
        found.map(({ row }) => row),
        'dense search',
      );
    },
    async () => assert.ok([1, 3, 5].includes(await reader.count(ref, {}))),
  ];
  const readOn = async (kind: () => Promise<void>): Promise<void> => {
    while (!over.signal.aborted) await kind();
  };
  await Promise.all([write(), ...kinds.map(readOn)]);
  assert.ok(reads > 20, `${reads} reads`);
});

/** Rows of a job with long ids, so that the list of them has several pages. */
const longRows = (jobId: string, from: number): readonly Row[] =>
  Array.from({ length: 20 }, (_, at) => makeRow(`${'long id '.repeat(100)} ${from + at}`, { jobId, text: 'tea' }));

test('the deletion of a file removes its rows alone and counts them once, at every point at which a write can fail', async () => {
  let points = 0;
  for (let at = 1; ; at += 1) {
    const [writer, reader, ref] = [openWriter(location), openReader(location), newRef()];
    await writer.create(ref);
    const parts = [longRows('job', 0), longRows('job', 20), jobRows('job', ['kept', 'taken', 'gone'])];
    const later = [makeRow('kept'), ...jobRows('other', ['taken'])];
    const upserts = [...parts, later].map((rows) => ({ kind: 'upsert', rows }) as const);
    await writer.commit(ref, [...upserts, { kind: 'delete', ids: ['gone'] }]);
    const remove = (key: string) => writer.commit(ref, [{ kind: 'deleteJob', jobId: 'job' }], [key]);
    proxy.failFrom(at, 'lost');
    const isWhole = await remove('remove').then(
      () => true,
      () => false,
    );
    proxy.failFrom(Infinity, 'lost');
    const { state, results } = await remove('remove');
    assert.deepEqual([state.rows, results], [2, [{ written: 0, deleted: 40 }]], `at ${at}`);
    const listed = await reader.list(ref, { after: null, limit: 100 });
    assert.deepEqual(listed.rows.map(({ id }) => id).toSorted(), ['kept', 'taken']);
    proxy.takePaths();
    assert.deepEqual((await remove('again')).results, [{ written: 0, deleted: 0 }]);
    // The journal and the absent list.
    assert.deepEqual(proxy.takePaths(), ['/GetVectors', '/GetVectors']);
    if (isWhole) break;
    points += 1;
  }
  assert.ok(points >= 7, `${points} points`);
});

test('a long deletion of a file hides its rows at once, and its repeat ends it after other writes', async () => {
  const { writer, reader, ref } = await openReplaceable();
  const ids = Array.from({ length: 2_100 }, (_, at) => `row ${at}`);
  const upsert = (rows: readonly Row[], key: string) => writer.commit(ref, [{ kind: 'upsert', rows }], [key]);
  await upsert(jobRows('long', ids), 'long');
  const remove = () => writer.commit(ref, [{ kind: 'deleteJob', jobId: 'long' }], ['remove']);
  // The journal, two pages of ids, 21 reads of rows and the journal succeed.
  proxy.failFrom(26, 'refused');
  await assert.rejects(remove());
  proxy.failFrom(Infinity, 'refused');
  const listed = async () => {
    const { rows } = await reader.list(ref, { after: null, limit: 1_000, filter: {} });
    return [await reader.count(ref), await reader.count(ref, {}), rows.length];
  };
  const hits = await reader.search(ref, { mode: 'sparse', text: 'content', topK: 10 });
  assert.deepEqual([hits.length, (await listed()).slice(0, 2)], [2, [3, 3]]);
  assert.equal((await upsert([makeRow('row 5')], 'over')).state.rows, 4);
  assert.deepEqual((await upsert([], 'remove')).results, [{ written: 0, deleted: 2_100, unfinished: true }]);
  const { state, results } = await remove();
  assert.deepEqual([state.rows, results], [4, [{ written: 0, deleted: 2_100 }]]);
  assert.deepEqual(await listed(), [4, 4, 4]);
  assert.deepEqual((await upsert([], 'remove')).results, [{ written: 0, deleted: 2_100 }]);
});

test('a replacement that is given up leaves the replaced rows, and its own are removed with its job', async () => {
  const { writer, ref, found, reader } = await openReplaceable();
  // The rows are stored, but not shown.
  proxy.failFrom(9, 'refused');
  await assert.rejects(writer.commit(ref, [replacement], ['replace']));
  proxy.failFrom(Infinity, 'refused');
  const lookup = await writer.commit(ref, [{ kind: 'upsert', rows: [] }], ['replace']);
  assert.deepEqual(lookup.results, [{ written: 0, deleted: 0 }]);
  assert.deepEqual([await found(), await reader.fetch(ref, ['c'], false)], [['old a', 'old b'], []]);
  const listed = await reader.list(ref, { after: null, limit: 100 });
  assert.deepEqual(listed.rows.map(({ id }) => id).toSorted(), ['a', 'b', 'own']);
  const { state, results } = await writer.commit(ref, [{ kind: 'deleteJob', jobId: 'new' }], ['remove']);
  assert.deepEqual([state.rows, results], [3, [{ written: 0, deleted: 0 }]]);
  const second = await writer.commit(ref, [{ ...replacement, rows: jobRows('newer', ['a', 'c']) }], ['again']);
  assert.deepEqual([second.state.rows, second.results], [3, [{ written: 2, deleted: 1 }]]);
  assert.deepEqual(await found(), ['newer a', 'newer c']);
});

test('a change that died half-way is reported as unfinished, and its repeat returns the first counts', async () => {
  const { writer, ref, reader } = await openReplaceable();
  const rows = Array.from({ length: 1_200 }, (_, at) => makeRow(`row ${at}`, { text: 'x' }));
  const commit = (some: readonly Row[]) => writer.commit(ref, [{ kind: 'upsert', rows: some }], ['many']);
  // After the journal and one of three batches.
  proxy.failFrom(16, 'refused');
  await assert.rejects(commit(rows));
  proxy.failFrom(Infinity, 'refused');
  assert.deepEqual((await commit([])).results, [{ written: 1_200, deleted: 0, unfinished: true }]);
  const whole = await commit(rows);
  assert.deepEqual([whole.state.rows, whole.results], [1_203, [{ written: 1_200, deleted: 0 }]]);
  assert.equal(await reader.count(ref, {}), 1_203);
});

test('the journal stays within the size of a row after many changes with long results', async () => {
  const { writer, ref } = await openReplaceable();
  const patches = [{ id: 'own', metadata: { at: 1 } }];
  const missing = Array.from({ length: 200 }, (_, at) => ({ id: `${'é'.repeat(400)} ${at}`, metadata: {} }));
  for (let at = 0; at < 8; at += 1) {
    const change = { kind: 'patch', patches: [...patches, ...missing], maxBytes: 1_000 } as const;
    const { results } = await writer.commit(ref, [change], [`patch ${at}`]);
    assert.deepEqual([results[0]?.written, results[0]?.missing?.length], [1, 100]);
  }
});

test('searches and writes send the requests that docs/cost.md counts', async () => {
  const { writer, reader, ref } = await openReplaceable();
  const counted = async (work: Promise<unknown>): Promise<Readonly<Record<string, number>>> => {
    await work;
    const byPath = Map.groupBy(proxy.takePaths(), (path) => path.slice(1));
    return Object.fromEntries([...byPath].map(([path, requests]) => [path, requests.length]));
  };
  const write = (rows: readonly Row[], key: string) => writer.commit(ref, [{ kind: 'upsert', rows }], [key]);
  const search = (query: object) => reader.search(ref, { topK: 10, ...query } as never);
  const vector = Float32Array.of(1, 0);
  const fusion = { method: 'rrf', k: 60, denseWeight: 0.5 };
  proxy.takePaths();
  assert.deepEqual(await counted(write([makeRow('one')], 'one')), { GetVectors: 2, PutVectors: 2 });
  const many = Array.from({ length: 1_000 }, (_, at) => makeRow(`many ${at}`, { text: 'tea' }));
  assert.deepEqual(await counted(write(many, 'many')), { GetVectors: 11, PutVectors: 3 });
  // The first read of a process queries the journal before it too.
  assert.deepEqual(await counted(search({ mode: 'dense', vector })), { QueryVectors: 3 });
  assert.deepEqual(await counted(search({ mode: 'dense', vector })), { QueryVectors: 2 });
  assert.deepEqual(await counted(search({ mode: 'sparse', text: 'tea' })), { QueryVectors: 2 });
  const hybrid = { mode: 'hybrid', vector, text: 'tea', fusion };
  assert.deepEqual(await counted(search(hybrid)), { QueryVectors: 3 });
  // 24 MB as JSON: each quotation mark is escaped twice.
  const large = Array.from({ length: 450 }, (_, at) =>
    makeRow(`large ${at}`, { metadata: { raw: '"'.repeat(13_500) } }),
  );
  assert.deepEqual(await counted(write(large, 'large')), { GetVectors: 6, PutVectors: 3 });
  const ids = Array.from({ length: 1_000 }, (_, at) => `${at}`);
  const commit = (change: Change, key: string) => writer.commit(ref, [change], [key]);
  const ofFile = commit({ kind: 'upsert', rows: jobRows('file', ids) }, 'file');
  assert.deepEqual(await counted(ofFile), { GetVectors: 12, PutVectors: 4 });
  const next = commit({ ...replacement, oldJobId: 'file', rows: jobRows('next', ids) }, 'next');
  assert.deepEqual(await counted(next), { GetVectors: 33, PutVectors: 7, DeleteVectors: 1 });
  const removal = commit({ kind: 'deleteJob', jobId: 'next' }, 'gone');
  assert.deepEqual(await counted(removal), { GetVectors: 12, PutVectors: 2, DeleteVectors: 3 });
});

test('random changes leave exactly the rows of a model while requests are throttled, responses are lost and commits die', async (context) => {
  const inject = async (shares: object) => {
    const body = JSON.stringify({ ...shares, seed: 76 });
    const response = await fetch(`${cloud.baseUrl}/_local/vector-faults`, { method: 'POST', body });
    assert.equal(response.status, 200);
  };
  const changes = Number(process.env['STRATA_TEST_CHANGES'] ?? 30);
  const index = { writer: openWriter(location), reader: openReader(location), ref: newRef() };
  await inject({ throttled: changes > 30 ? 0.3 : 0.05, lost: 0.05 });
  try {
    const explored = await exploreChanges(index, proxy, { changes, seed: 52 });
    context.diagnostic(JSON.stringify(explored));
    assert.ok(explored.deaths > 0);
  } finally {
    await inject({ throttled: 0, lost: 0 });
  }
});
