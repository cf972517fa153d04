import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/shared-service.ts';
import { type Caller, call, newOrganization } from './support/organization.ts';

const { baseUrl } = await startService();

interface Hit {
  readonly id: string;
  readonly score: number;
  readonly scores: Readonly<Record<string, number | null>>;
  readonly group?: { readonly value: unknown };
}

const idsOf = ({ results }: { readonly results: readonly Hit[] }): readonly string[] => results.map(({ id }) => id);

/** Passages on tea, of which one answers how hot the water should be. */
const passages = [
  ['history', 'Tea and hot water were drunk in China for three thousand years. Tea was a medicine at first.', 1990],
  ['answer', 'Brew green leaves at 80 degrees Celsius. Hotter water makes the cup bitter.', 2024],
  ['sale', 'Prices of tea rose on the water front this week. For tea the hot season is over.', 2025],
  ['coffee', 'An espresso needs a pressure of nine bars and finely ground beans.', 2023],
] as const;

const openIndex = async (key: Caller) => {
  const created = await call(key, 'POST', '/v1/indexes', { name: 'tea', dimensions: 384 });
  const index: string = created.body.id;
  const send = async (method: string, path: string, body: object) => {
    const { status, body: answer } = await call(key, method, `/v1/indexes/${index}${path}`, body);
    return { status, ...answer };
  };
  const rows = passages.map(([id, text, year]) => ({
    id,
    text,
    metadata: { year, topic: id === 'coffee' ? 'coffee' : 'tea', published: `${year}-01-01T00:00:00Z` },
  }));
  assert.equal((await send('POST', '/vectors', rows)).status, 200);
  return {
    index,
    send,
    search: async (mode: string, body: object) => send('POST', `/search/${mode}`, body),
  };
};

const text = 'How hot should water for tea be?';

test('a search is reranked by the embedded models, grouped, boosted and counted', async () => {
  const { key } = await newOrganization(baseUrl);
  const { search, send } = await openIndex(key);
  // A function that starts on a busy machine can take longer than a search waits.
  await eventually(
    () => search('hybrid', { text, rerank: {} }),
    ({ rerank }) => rerank.status === 'done',
  );
  const plain = await search('hybrid', { text });
  assert.equal(plain.rerank, undefined);
  const models = await call(key, 'GET', '/v1/models');
  const rerankers = models.body.filter(({ kind }: { readonly kind: string }) => kind === 'rerank');
  assert.equal(rerankers.length, 2);
  for (const { id } of rerankers) {
    const reranked = await search('hybrid', {
      text,
      rerank: { model: id, blend: 1 },
      include: ['text', 'scores', 'explanation', 'usage'],
    });
    assert.equal(reranked.status, 200, JSON.stringify(reranked));
    assert.deepEqual([reranked.rerank.status, reranked.rerank.model], ['done', id]);
    assert.equal(reranked.rerank.candidates, 4);
    assert.ok(reranked.results.every(({ scores }: Hit) => (scores['rerank'] ?? -1) >= 0));
    assert.deepEqual(
      reranked.stages.map(({ stage }: { readonly stage: string }) => stage),
      ['candidates', 'rerank', 'page'],
    );
    assert.deepEqual([reranked.usage.searches, reranked.usage.rerank_units], [1, 4]);
    assert.equal(idsOf(reranked).at(-1), 'coffee');
  }
  // Each of the two rerankers has scored four texts at least.
  await eventually(
    () => call(key, 'GET', '/v1/organization/usage'),
    ({ body }) => body.rerank_units >= 8,
  );
  const [first] = idsOf(await search('hybrid', { text, rerank: { blend: 1 } }));
  assert.equal(first, 'answer');
  const floor = await search('hybrid', { text, rerank: { blend: 1 }, min_score: 0.5 });
  assert.ok(floor.results.length < 4 && floor.dropped_by_min_score === 4 - floor.results.length);
  const grouped = await search('hybrid', { text, group: { by: 'topic' } });
  assert.deepEqual([grouped.results.length, grouped.groups_exhausted], [2, true]);
  const recent = { conditions: [{ key: 'published', decay: { origin: '2025-01-01T00:00:00Z', scale: '365d' } }] };
  const boosted = await search('hybrid', { text, boost: { weight: 1, ...recent }, facets: [{ key: 'topic' }] });
  assert.deepEqual(idsOf(boosted), ['sale', 'answer', 'coffee', 'history']);
  assert.ok(Math.abs((boosted.results[1].scores.boost as number) - 0.5) < 0.01);
  assert.deepEqual(boosted.facets, [
    {
      key: 'topic',
      values: [
        { value: 'tea', count: 3 },
        { value: 'coffee', count: 1 },
      ],
      distinct: 2,
    },
  ]);
  const batch = await send('POST', '/search/batch', {
    searches: [
      { mode: 'hybrid', text },
      { mode: 'sparse', text: 'espresso', min_score: { dense: 1 } },
      { mode: 'dense', queries: [{ text: 'espresso' }, { text }], top_k: 2 },
    ],
  });
  assert.equal(batch.status, 200);
  const [one, two, three] = batch.responses;
  assert.deepEqual([one.status, one.response.results], [200, plain.results]);
  assert.deepEqual([two.status, two.error.code], [422, 'validation']);
  assert.deepEqual([three.status, three.response.results.length], [200, 2]);
});

test('clients of the OpenAI API send several queries, and get scores that mean the same for every query', async () => {
  const { key } = await newOrganization(baseUrl);
  const { index } = await openIndex(key);
  const find = async (body: object) => {
    const { status, body: found } = await call(key, 'POST', `/v1/openai/vector_stores/${index}/search`, body);
    assert.equal(status, 200, JSON.stringify(found));
    return found.data as readonly { readonly file_id: string; readonly score: number }[];
  };
  const several = await find({ query: [text, 'espresso'] });
  assert.equal(several.length, 4);
  for (const [ranker, lowest] of [
    ['none', 0.6],
    ['auto', 0.5],
  ] as const) {
    const ranked = await find({ query: text, ranking_options: { ranker, score_threshold: lowest } });
    assert.ok(ranked.length > 0 && ranked.length < 4, ranker);
    assert.ok(
      ranked.every(({ score }) => score >= lowest && score <= 1),
      ranker,
    );
  }
  const weighted = await find({
    query: 'espresso',
    ranking_options: { hybrid_search: { embedding_weight: 0, text_weight: 1 } },
  });
  assert.equal(weighted[0]?.file_id, 'coffee');
});

test('searches use the defaults of their index, and null switches one off', async () => {
  const { key } = await newOrganization(baseUrl);
  const { search, send } = await openIndex(key);
  const plain = idsOf(await search('hybrid', { text }));
  const changed = await send('PATCH', '', { search_defaults: { rerank: { blend: 1 }, group: { by: 'topic' } } });
  assert.deepEqual([changed.status, changed.search_defaults.group], [200, { by: 'topic', size: 1 }]);
  const byDefault = await eventually(
    () => search('hybrid', { text }),
    ({ rerank }) => rerank.status === 'done',
  );
  assert.equal(byDefault.results.length, 2);
  const without = await search('hybrid', { text, rerank: null, group: null });
  assert.deepEqual([without.rerank, idsOf(without)], [undefined, plain]);
  assert.equal((await send('PATCH', '', { search_defaults: null })).status, 200);
  assert.deepEqual(idsOf(await search('hybrid', { text })), plain);
});

test('a search that its stages cannot run is refused with the reason', async () => {
  const { key } = await newOrganization(baseUrl);
  const { search } = await openIndex(key);
  const refused: readonly (readonly [mode: string, body: object, loc: readonly (string | number)[]])[] = [
    ['hybrid', { text, min_score: 0.5 }, ['body', 'min_score']],
    ['sparse', { text, min_score: { dense: 0.5 } }, ['body', 'min_score', 'dense']],
    ['dense', { text, min_score: { rerank: 0.5 } }, ['body', 'min_score', 'rerank']],
    ['hybrid', { text, rerank: { model: 'none' } }, ['body', 'rerank', 'model']],
    ['dense', { queries: [{ text }], rerank: {} }, ['body', 'rerank', 'query']],
    ['sparse', { queries: [{ vector: [1] }] }, ['body', 'queries', 0, 'vector']],
    ['dense', { text, queries: [{ text }] }, ['body', 'queries']],
    ['dense', { text, boost: { conditions: [{ key: 'year' }] } }, ['body', 'boost', 'conditions', 0]],
    [
      'dense',
      { text, boost: { conditions: [{ key: 'year', decay: { origin: 3, scale: '3d' } }] } },
      ['body', 'boost', 'conditions', 0, 'decay', 'scale'],
    ],
    ['sparse', {}, ['body', 'text']],
  ];
  for (const [mode, body, loc] of refused) {
    const { status, detail } = await search(mode, body);
    const locs = (detail as readonly { readonly loc: unknown }[]).map((problem) => JSON.stringify(problem.loc));
    assert.equal(status, 422, JSON.stringify(body));
    assert.ok(locs.includes(JSON.stringify(loc)), `${JSON.stringify(body)}: ${locs.join(' ')}`);
  }
});

test('pages by cursor are of one version, and a cursor is bound to its credential, search and defaults', async () => {
  const { key } = await newOrganization(baseUrl);
  const { index, search, send } = await openIndex(key);
  const body = { text, top_k: 1, depth: 4, boost: { conditions: [{ filter: { topic: 'coffee' } }] } };
  const wanted = idsOf(await search('hybrid', { ...body, top_k: 4 }));
  const pages: string[] = [];
  let next: string | null | undefined;
  do {
    const page = await search('hybrid', next === undefined ? body : { ...body, cursor: next });
    assert.equal(page.status, 200, JSON.stringify(page));
    pages.push(...idsOf(page));
    next = page.next_cursor;
    await send('POST', '/vectors/delete', { ids: [wanted.at(-1)] });
    await send('POST', '/vectors', [{ id: `new${pages.length}`, text }]);
  } while (next !== null);
  assert.deepEqual(pages, wanted);
  assert.equal((await search('hybrid', { text })).next_cursor, undefined);
  const { next_cursor: cursor } = await search('hybrid', body);
  const refused = async (request: object, mode = 'hybrid') => {
    const { status, detail } = await search(mode, request);
    return [status, (detail as readonly { readonly loc: unknown }[])[0]?.loc];
  };
  const invalid = [422, ['body', 'cursor']];
  assert.deepEqual(await refused({ ...body, top_k: 2, cursor }), invalid);
  assert.deepEqual(await refused({ ...body, cursor }, 'dense'), invalid);
  assert.deepEqual(await refused({ ...body, cursor: `${cursor.slice(0, -8)}AAAAAAA=` }), invalid);
  const other = await call(key, 'POST', '/v1/api-keys', { name: 'other' });
  const another = { ...key, bearer: other.body.token };
  const path = `/v1/indexes/${index}/search/hybrid`;
  assert.equal((await call(another, 'POST', path, { ...body, cursor })).status, 422);
  const batch = await send('POST', '/search/batch', { searches: [{ mode: 'hybrid', ...body, cursor }] });
  assert.equal(batch.responses[0].status, 422);
  await send('PATCH', '', { search_defaults: { group: { by: 'file' } } });
  const expired = await search('hybrid', { ...body, cursor });
  assert.deepEqual([expired.status, expired.code], [410, 'cursor_expired']);
});

test('a list in the order of a metadata key is of one version, and ends with rows that lack the key', async () => {
  const { key } = await newOrganization(baseUrl);
  const { index, send } = await openIndex(key);
  await send('POST', '/vectors', [{ id: 'undated', text: 'tea', metadata: { topic: 'tea' } }]);
  const list = async (query: string) => {
    const path = `/v1/indexes/${index}/vectors?${query}`;
    const { status, body, headers } = await call(key, 'GET', path);
    const ids = (body as readonly { readonly id: string }[]).map(({ id }) => id);
    return { status, body, ids, next: headers.get('x-next-cursor') };
  };
  const first = await list('order_by=year&direction=desc&limit=2&ids_only=true');
  const { version } = first.body[0];
  assert.deepEqual(first.body[0], { id: 'sale', text: null, metadata: {}, file: null, version });
  assert.deepEqual(first.ids, ['sale', 'answer']);
  await send('POST', '/vectors/delete', { ids: ['answer', 'coffee'] });
  const second = await list(`order_by=year&direction=desc&limit=2&ids_only=true&cursor=${first.next}`);
  assert.deepEqual(second.ids, ['coffee', 'history']);
  const third = await list(`order_by=year&direction=desc&cursor=${second.next}`);
  assert.deepEqual([third.body.length, third.body[0].metadata, third.next], [1, { topic: 'tea' }, null]);
  const filtered = await list(`order_by=published&filter=${encodeURIComponent('{"topic":"tea"}')}&ids_only=true`);
  assert.deepEqual(filtered.ids, ['history', 'sale', 'undated']);
  const wrong = `/v1/indexes/${index}/vectors?order_by=year&cursor=${Buffer.from('tea').toString('base64url')}`;
  assert.equal((await call(key, 'GET', wrong)).status, 422);
});
