import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../support/shared-service.ts';
import {
  type DenseSearch,
  type HybridSearch,
  type IndexCreate,
  type MetadataFilter,
  type SparseSearch,
  StrataError,
  type VectorDelete,
  type VectorUpsert,
} from '#client';
import { apiOf } from './support/api.ts';
import { allVectors } from './support/files.ts';
import { call, type Caller, newOrganization } from './support/organization.ts';
import { eventually } from '../support/eventually.ts';

const { baseUrl } = await startService();

const createIndex = async (key: Caller, options: Partial<IndexCreate> = {}): Promise<string> =>
  (await apiOf(key).post('/v1/indexes', { body: { name: 'test', dimensions: 4, ...options } })).id;

/** What a caller does with the rows of one index. */
const rowsOf = (key: Caller, index_id: string) => {
  const api = apiOf(key);
  const params = { path: { index_id } };
  return {
    put: (body: VectorUpsert) => api.post('/v1/indexes/{index_id}/vectors', { params, body }),
    remove: (body: VectorDelete) => api.post('/v1/indexes/{index_id}/vectors/delete', { params, body }),
    fetch: async (ids: string[], filter: MetadataFilter | null = null) =>
      idsOf((await api.post('/v1/indexes/{index_id}/vectors/fetch', { params, body: { ids, filter } })).vectors),
    dense: async (body: DenseSearch) =>
      idsOf((await api.post('/v1/indexes/{index_id}/search/dense', { params, body })).results),
    sparse: async (body: SparseSearch) =>
      idsOf((await api.post('/v1/indexes/{index_id}/search/sparse', { params, body })).results),
    hybrid: async (body: HybridSearch) =>
      idsOf((await api.post('/v1/indexes/{index_id}/search/hybrid', { params, body })).results),
    branch: (name: string) => api.post('/v1/indexes/{index_id}/branches', { params, body: { name } }),
    drop: () => api.delete('/v1/indexes/{index_id}', { params }),
  };
};

const unit = (position: number): number[] => [0, 1, 2, 3].map((at) => (at === position ? 1 : 0.01 * (at + 1)));

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

test('an index is created with the documented defaults, announced, renamed, and gone when deleted', async () => {
  const { key, session, id: organizationId } = await newOrganization(baseUrl);
  const made = await call(key, 'POST', '/v1/indexes', { name: 'first' });
  const { id, created_at, ...rest } = made.body;
  assert.equal(made.status, 201);
  assert.match(id, /^idx_[0-9a-z]{26}$/);
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(rest, {
    name: 'first',
    dimensions: 1536,
    distance_metric: 'cosine',
    cloud_region: 'us-east-1',
    non_filterable_metadata_keys: [],
    text_language: 'english',
    embedding_model: 'embedded-minilm-l6-v2',
    engine: 'lance',
    features: [
      'branches',
      'conditional_writes',
      'exact_search',
      'ordered_lists',
      'phrases',
      'recall',
      'search_cursors',
      'text_ranges',
      'versions',
    ],
    version_days: 1,
    parent_index_id: null,
    branch_depth: 0,
  });
  const dispatched = (count: number) =>
    eventually(
      () => call(session, 'GET', '/v1/organization/webhooks/events'),
      ({ body }) =>
        body.total === count && body.events.every(({ status }: { status: string }) => status === 'dispatched'),
    );
  await dispatched(1);
  assert.equal((await call(key, 'PATCH', `/v1/indexes/${id}`, { name: 'second' })).body.name, 'second');
  const history = await dispatched(2);
  const [updated, created] = history.body.events;
  assert.deepEqual(created.payload.data, { index: { id, name: 'first', region: 'us-east-1', dimensions: 1536 } });
  assert.deepEqual(updated.payload.data, { index: { id, name: 'second', region: 'us-east-1' } });
  assert.deepEqual([created.payload.type, created.payload.organization_id], ['index.created', organizationId]);
  assert.equal((await call(key, 'DELETE', `/v1/indexes/${id}`)).status, 204);
  assert.equal((await call(key, 'GET', `/v1/indexes/${id}`)).status, 404);
  assert.deepEqual((await call(key, 'GET', '/v1/indexes')).body, []);
});

test('acknowledged vectors are found at once by every kind of request', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = await createIndex(key, { non_filterable_metadata_keys: ['note'] });
  const items = ['red apple orchard', 'green pear garden', 'blue whale ocean', 'yellow submarine harbour'].map(
    (text, at) => ({
      id: `item-${at}`,
      vector: unit(at),
      text,
      metadata: { at, colour: text.split(' ')[0] ?? '', note: 'x' },
    }),
  );
  const base64 = Buffer.from(new Float32Array(unit(2)).buffer).toString('base64');
  const rows = rowsOf(key, index);
  assert.equal((await rows.put(items)).upserted, 4);
  assert.equal((await rows.dense({ vector: unit(1) }))[0], 'item-1');
  assert.equal((await rows.dense({ vector: base64 }))[0], 'item-2');
  assert.deepEqual(await rows.sparse({ text: 'whales of the ocean' }), ['item-2']);
  assert.equal((await rows.hybrid({ text: 'submarine', vector: unit(3) }))[0], 'item-3');
  const filtered = await rows.dense({ vector: unit(0), filter: { at: { $gte: 2 } } });
  assert.deepEqual(filtered.toSorted(), ['item-2', 'item-3']);
  const refused = await call(key, 'POST', `/v1/indexes/${index}/search/dense`, {
    vector: unit(0),
    filter: { note: 'x' },
  });
  assert.deepEqual([refused.status, refused.body.detail[0].loc], [422, ['body', 'filter', 'note']]);
  assert.deepEqual(await rows.fetch(['item-3', 'nothing', 'item-0']), ['item-3', 'item-0']);
  assert.deepEqual(await rows.fetch(['item-3', 'item-0', 'item-1'], { colour: { $in: ['red', 'green'] } }), [
    'item-0',
    'item-1',
  ]);
  await assert.rejects(rows.fetch(['item-0'], { note: 'x' }), /'note' is not filterable/);
  assert.deepEqual(await rows.remove({ ids: ['item-0', 'nothing'] }), { deleted: 1 });
  assert.deepEqual(await rows.remove({ filter: { colour: 'blue' } }), { deleted: 1 });
  assert.deepEqual(
    (await allVectors(key, index)).map(({ id }) => id),
    ['item-1', 'item-3'],
  );
});

test('null counts as absent in the optional fields of a request', async () => {
  const { key } = await newOrganization(baseUrl);
  const index_id = await createIndex(key);
  const { put, remove, dense, sparse, hybrid, fetch } = rowsOf(key, index_id);
  await put([
    { id: 'a', vector: unit(0), text: null, metadata: null },
    { id: 'b', vector: null, text: 'apples and pears', metadata: { kind: 'fruit' } },
  ]);
  const common = { top_k: null, filter: null, include: null, exact: null };
  assert.deepEqual((await dense({ vector: unit(0), text: null, ...common })).toSorted(), ['a', 'b']);
  assert.deepEqual((await dense({ vector: null, text: 'pears', ...common })).toSorted(), ['a', 'b']);
  assert.deepEqual(await sparse({ text: 'pears', ...common }), ['b']);
  const fusion = { method: null, k: null, dense_weight: null };
  for (const how of [null, fusion])
    assert.deepEqual((await hybrid({ text: 'pears', vector: null, fusion: how, ...common }))[0], 'b');
  const api = apiOf(key);
  const params = { path: { index_id } };
  const asked = { top_k: null, queries: null, seed: null, vectors: null, filter: null };
  const measured = await api.post('/v1/indexes/{index_id}/recall', { params, body: asked });
  assert.deepEqual([measured.top_k, measured.unfiltered.recall], [10, 1]);
  await assert.rejects(remove({ ids: null, filter: null }), { status: 422 });
  await remove({ ids: ['b'], filter: null });
  await remove({ ids: null, filter: { kind: 'none' } });
  assert.deepEqual(await fetch(['a', 'b']), ['a']);
});

test('a refused conditional write returns the rows with other versions', async () => {
  const { key } = await newOrganization(baseUrl);
  const rows = rowsOf(key, await createIndex(key));
  const { version } = await rows.put([{ id: 'there', vector: unit(0) }]);
  const refused = rows.put([
    { id: 'there', vector: unit(1), if_version: 'another' },
    { id: 'absent', vector: unit(2), if_version: 'another' },
  ]);
  await assert.rejects(refused, (error) => {
    assert.ok(error instanceof StrataError);
    assert.deepEqual([error.status, error.code], [409, 'conflict']);
    assert.deepEqual(error.conflicts, [
      { id: 'there', version },
      { id: 'absent', version: null },
    ]);
    return true;
  });
});

test('text without a vector is embedded by the model that also embeds the query', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = await createIndex(key, { dimensions: 512 });
  const texts = {
    tea: 'Green tea is brewed at eighty degrees.',
    rail: 'The night train to Vienna leaves at ten.',
    bees: 'Honey bees dance to tell where flowers are.',
  };
  const rows = rowsOf(key, index);
  await rows.put(Object.entries(texts).map(([id, text]) => ({ id, text })));
  assert.equal((await rows.dense({ text: 'When does the train to Vienna leave?' }))[0], 'rail');
  assert.equal((await rows.hybrid({ text: 'how hot should water for green tea be' }))[0], 'tea');
});

test('words with typographic apostrophes and invisible characters are found and returned as they were written', async () => {
  const { key } = await newOrganization(baseUrl);
  const api = apiOf(key);
  const index = await createIndex(key, { dimensions: 64, text_language: 'french' });
  const params = { path: { index_id: index } };
  const rows = rowsOf(key, index);
  const texts = { a: 'L’e\u0301cole est ouverte', b: 'une école fer\u00ADmée', c: 'le jardin' };
  await rows.put(Object.entries(texts).map(([id, text]) => ({ id, text })));
  for (const text of ['école', "l'école", 'l’école', '"d’école"'])
    assert.deepEqual((await rows.sparse({ text })).toSorted(), ['a', 'b'], text);
  assert.deepEqual(await rows.sparse({ text: 'école -"l\'école est"' }), ['b']);
  for (const text of ["L'école est ouverte", 'L’école est ouverte']) {
    assert.equal((await rows.hybrid({ text, top_k: 1 }))[0], 'a');
    assert.equal((await rows.dense({ text, top_k: 1 }))[0], 'a');
  }
  await api.post('/v1/indexes/{index_id}/vectors/update', { params, body: [{ id: 'a', metadata: { seen: true } }] });
  const ids = Object.keys(texts);
  const { vectors } = await api.post('/v1/indexes/{index_id}/vectors/fetch', { params, body: { ids } });
  assert.deepEqual(Object.fromEntries(vectors.map(({ id, text }) => [id, text])), texts);
  const found = await api.post('/v1/indexes/{index_id}/search/sparse', { params, body: { text: 'école' } });
  for (const { id, text } of found.results) assert.equal(text, texts[id as keyof typeof texts]);
  const { sparse_bytes } = await api.get('/v1/indexes/{index_id}/stats', { params });
  assert.equal(sparse_bytes, Buffer.byteLength(Object.values(texts).join('')));
});

test('invalid vectors are refused by their position', async () => {
  const { key } = await newOrganization(baseUrl);
  const index = await createIndex(key);
  const answer = await call(
    key,
    'POST',
    `/v1/indexes/${index}/vectors`,
    '[{"id":"a","vector":[1,2,3]},{"id":"b","vector":[0,0,0,0]},{"id":"b","vector":[1,0,0,0]}]',
  );
  assert.equal(answer.status, 422);
  assert.deepEqual(
    answer.body.detail.map(({ loc }: { loc: unknown }) => loc),
    [
      ['body', 0, 'vector'],
      ['body', 1, 'vector'],
      ['body', 2, 'id'],
    ],
  );
  const infinite = await call(
    key,
    'POST',
    `/v1/indexes/${index}/vectors`,
    '[{"id":"a","vector":[1e999,1e39,"1",0]},{"id":"b"}]',
  );
  assert.deepEqual(
    infinite.body.detail.map(({ loc }: { loc: unknown }) => loc),
    [
      ['body', 0, 'vector', 0],
      ['body', 0, 'vector', 1],
      ['body', 0, 'vector', 2],
      ['body', 1],
    ],
  );
  assert.deepEqual(await allVectors(key, index), []);
});

test('a branch and its parent do not see each other’s changes, at any depth, and a branch outlives its parent', async () => {
  const { key } = await newOrganization(baseUrl);
  const parent = await createIndex(key);
  const put = (index: string, id: string, at: number) =>
    rowsOf(key, index).put([{ id, vector: unit(at), text: `${id} text` }]);
  const list = async (index: string) => idsOf(await allVectors(key, index));
  await put(parent, 'a', 0);
  const branch = await rowsOf(key, parent).branch('branch');
  assert.deepEqual([branch.parent_index_id, branch.branch_depth], [parent, 1]);
  await put(parent, 'b', 1);
  await put(branch.id, 'c', 2);
  const deeper = await rowsOf(key, branch.id).branch('deeper');
  assert.equal(deeper.branch_depth, 2);
  await rowsOf(key, deeper.id).remove({ ids: ['a'] });
  await put(deeper.id, 'd', 3);
  assert.deepEqual(
    [await list(parent), await list(branch.id), await list(deeper.id)],
    [
      ['a', 'b'],
      ['a', 'c'],
      ['c', 'd'],
    ],
  );
  await rowsOf(key, parent).drop();
  await rowsOf(key, branch.id).drop();
  assert.equal((await rowsOf(key, deeper.id).sparse({ text: 'c text' }))[0], 'c');
  assert.deepEqual(await list(deeper.id), ['c', 'd']);
});

test('an alias names an index in every path and is moved to another one at once', async () => {
  const { key } = await newOrganization(baseUrl);
  const [first, second] = [await createIndex(key), await createIndex(key)];
  for (const [index, id] of [
    [first, 'old'],
    [second, 'new'],
  ] as const)
    await rowsOf(key, index).put([{ id, vector: unit(0), text: id }]);
  const put = (name: string, index_id: string) => call(key, 'PUT', `/v1/aliases/${name}`, { index_id });
  const { status, body: created } = await put('live', first);
  assert.deepEqual([status, created.name, created.index_id], [200, 'live', first]);
  const rows = rowsOf(key, 'live');
  assert.deepEqual(await rows.dense({ vector: unit(0) }), ['old']);
  await rows.put([{ id: 'more', vector: unit(1) }]);
  assert.deepEqual(await rowsOf(key, first).fetch(['more']), ['more']);
  const moved = await put('live', second);
  assert.deepEqual([moved.body.index_id, moved.body.created_at], [second, created.created_at]);
  assert.deepEqual(await rows.dense({ vector: unit(0) }), ['new']);
  assert.equal((await call(key, 'GET', '/v1/indexes/live')).body.id, second);

  const restricted = await call(key, 'POST', '/v1/api-keys', { name: 'k', index_ids: [first] });
  const onlyFirst = { ...key, bearer: restricted.body.token };
  // A hidden alias is like an unknown one.
  for (const name of ['live', 'unknown'])
    for (const path of [`/v1/indexes/${name}`, `/v1/indexes/${name}/vectors`, `/v1/aliases/${name}`])
      assert.equal((await call(onlyFirst, 'GET', path)).body.code, 'not_found', path);
  assert.deepEqual((await call(onlyFirst, 'GET', '/v1/aliases')).body, []);
  assert.equal((await call(onlyFirst, 'PUT', '/v1/aliases/live', { index_id: first })).body.code, 'index_not_allowed');

  assert.equal((await put('Live', first)).body.detail[0].loc[1], 'name');
  assert.equal((await put(first, first)).status, 422);
  assert.equal((await put('other', `idx_${'0'.repeat(26)}`)).status, 404);
  const kept = await call(key, 'DELETE', '/v1/indexes/live');
  assert.deepEqual([kept.status, kept.body.code], [409, 'conflict']);
  assert.deepEqual((await call(key, 'GET', '/v1/aliases?limit=1')).body, [moved.body]);
  assert.equal((await call(key, 'DELETE', '/v1/aliases/live')).status, 204);
  assert.equal((await call(key, 'GET', '/v1/indexes/live')).status, 404);
  assert.equal((await call(key, 'DELETE', '/v1/aliases/live')).status, 404);
  assert.equal((await call(key, 'DELETE', `/v1/indexes/${second}`)).status, 204);
});
