import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { OpenCloud } from '../../local/open-cloud.ts';
import { compileVectorFilter } from '../../local/s3-vectors/vector-filter.ts';
import type { JsonObject } from '../../shared/kernel/json.ts';
import { s3VectorsClient } from '../../shared/platform/aws/s3-vectors-client.ts';
import type { Filter } from '../../shared/platform/engine/filter.ts';
import { matcherOf } from '../../shared/platform/engine/match-filter.ts';
import type { IndexRef, Row } from '../../shared/platform/engine/port.ts';
import { compileFilter } from '../../shared/platform/engine/s3-vectors/compile-filter.ts';
import { encodeRow } from '../../shared/platform/engine/s3-vectors/encode-row.ts';
import { openReader } from '../../shared/platform/engine/s3-vectors/open-reader.ts';
import { openWriter } from '../../shared/platform/engine/s3-vectors/open-writer.ts';
import { clientSettings, openFixtureCloud } from '../local/fixture-cloud.ts';
import { randomFrom } from '../support/random.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const location = { region: 'us-east-1', vectorBucketName: 'fixture-vectors', organizationId: 'org_one' };
const cleanups: (() => void)[] = [];
let cloud: OpenCloud;
let tables = 0;

before(async () => {
  cloud = await openFixtureCloud(temporaryDirectory({ after: (hook) => cleanups.push(hook) }));
  const { endpoint, credentials } = clientSettings(cloud);
  process.env['AWS_ENDPOINT_URL_S3VECTORS'] = endpoint;
  process.env['AWS_ACCESS_KEY_ID'] = credentials.accessKeyId;
  process.env['AWS_SECRET_ACCESS_KEY'] = credentials.secretAccessKey;
});

after(async () => {
  s3VectorsClient(location.region).destroy();
  await cloud.close();
  for (const cleanup of cleanups) cleanup();
});

const newRef = (): IndexRef => {
  tables += 1;
  return {
    dimensions: 2,
    metric: 'cosine',
    nonFilterableKeys: ['raw'],
    filterRules: 'v2',
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
    { written: 1, deleted: 0 },
    { written: 0, deleted: 2 },
  ]);
  assert.deepEqual([second.state.rows, second.state.sparseBytes, await reader.count(ref)], [1, 8, 1]);
  await writer.drop(ref.layers[0].table);
  assert.deepEqual(await ids({ mode: 'dense', vector }), []);
});

test('a row that does not fit is refused with its bytes and the limit before any row is written', async () => {
  const [writer, reader, ref] = [openWriter(location), openReader(location), newRef()];
  await writer.create(ref);
  const tags = Array.from({ length: 100 }, (_, at) => `a tag of some length ${at}`);
  const rows = [makeRow('small'), makeRow('large', { metadata: { tags } })];
  await assert.rejects(
    writer.commit(ref, [{ kind: 'upsert', rows }], ['one']),
    /"large" has \d+ bytes .* at most 2048/,
  );
  assert.deepEqual([await reader.count(ref), await reader.fetch(ref, ['small'], false)], [0, []]);
  const hidden = makeRow('hidden', { metadata: { raw: tags } });
  await writer.commit(ref, [{ kind: 'upsert', rows: [hidden] }], ['two']);
  assert.equal(await reader.count(ref), 1);
});
