import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MastraError } from '@mastra/core/error';
import type { VectorFilter } from '@mastra/core/vector/filter';
import { createClient } from 'strata-client';
import { StrataVector } from 'strata-mastra';

const client = createClient({
  baseUrl: process.env['STRATA_URL'] ?? '',
  token: process.env['STRATA_API_KEY'] ?? null,
});
const store = new StrataVector({ id: 'strata', client });

const vectors = [
  [1, 0, 0],
  [0.9, 0.1, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const metadata = [
  { text: 'Green tea.', topic: 'tea', year: 2026, tags: ['hot', 'green'] },
  { text: 'Black tea.', topic: 'tea', year: 2025, tags: ['hot'] },
  { text: 'Rails.', topic: 'rail', year: 2026, day: '2026-02-01T00:00:00.000Z' },
  { topic: 'none', author: { name: 'Ada' } },
];
const ids = ['green', 'black', 'rail', 'none'];

const newIndex = async (indexName: string): Promise<string> => {
  await store.createIndex({ indexName, dimension: 3 });
  await store.upsert({ indexName, vectors, metadata, ids });
  return indexName;
};

const refuses = (promise: Promise<unknown>, id: string): Promise<void> =>
  assert.rejects(promise, (error) => error instanceof MastraError && error.id === `STRATA_VECTOR_${id}`);

test('an index is created once, described, listed and deleted by its name', async () => {
  await Promise.all([
    store.createIndex({ indexName: 'twice', dimension: 3 }),
    store.createIndex({ indexName: 'twice', dimension: 3 }),
  ]);
  assert.deepEqual(
    (await store.listIndexes()).filter((name) => name === 'twice'),
    ['twice'],
  );
  await assert.rejects(store.createIndex({ indexName: 'twice', dimension: 4 }), MastraError);
  await refuses(store.createIndex({ indexName: 'dot', dimension: 3, metric: 'dotproduct' }), 'UNSUPPORTED_METRIC');
  const indexName = await newIndex('described');
  assert.deepEqual(await store.describeIndex({ indexName }), { dimension: 3, count: 4, metric: 'cosine' });
  await store.deleteIndex({ indexName });
  await refuses(store.describeIndex({ indexName }), 'NO_INDEX');
  assert.ok(!(await store.listIndexes()).includes(indexName));
});

test('a query returns the nearest vectors with metadata, document and optionally numbers', async () => {
  const indexName = await newIndex('query');
  const [first, second] = await store.query({ indexName, queryVector: [1, 0, 0], topK: 2 });
  assert.deepEqual(
    [first?.id, first?.metadata, first?.document, first?.vector],
    ['green', metadata[0], 'Green tea.', undefined],
  );
  assert.ok((first?.score ?? 0) > 0.999 && (second?.score ?? 1) < 0.999);
  const [exact] = await store.query({ indexName, queryVector: [0, 1, 0], topK: 1, includeVector: true });
  assert.deepEqual(exact?.vector, [0, 1, 0]);
  const near = await store.query({ indexName, queryVector: [1, 0, 0], minScore: 0.9 });
  assert.deepEqual(
    near.map(({ id }) => id),
    ['green', 'black'],
  );
  const diverse = await store.query({ indexName, queryVector: [1, 0.1, 0], topK: 2, diversity: 0.7 });
  assert.notDeepEqual(
    diverse.map(({ id }) => id),
    ['black', 'green'],
  );
  const query = 'Which tea is black?';
  const reranked = await store.query({ indexName, queryVector: [1, 0, 0], rerank: { query, blend: 1 }, topK: 1 });
  assert.equal(reranked[0]?.id, 'black');
  const filtered = await store.query({ indexName, filter: { topic: 'tea' } });
  assert.deepEqual(
    filtered.map(({ id }) => id),
    ['black', 'green'],
  );
  await refuses(store.query({ indexName }), 'NO_QUERY');
  await refuses(
    store.query({ indexName, queryVector: [1, 0, 0], sparseVector: { indices: [1], values: [1] } }),
    'UNSUPPORTED_SPARSE',
  );
  await store.createIndex({ indexName: 'far', dimension: 2, metric: 'euclidean' });
  await store.upsert({ indexName: 'far', vectors: [[3, 4]], ids: ['far'] });
  const [far] = await store.query({ indexName: 'far', queryVector: [0, 0] });
  assert.ok(Math.abs((far?.score ?? 0) - 1 / 6) < 1e-6);
});

test('filters of Mastra select the same rows in Strata, and others are refused', async () => {
  const indexName = await newIndex('filters');
  const cases: readonly (readonly [VectorFilter, readonly string[]])[] = [
    [{ topic: 'tea' }, ['black', 'green']],
    [{ topic: ['rail', 'none'] }, ['none', 'rail']],
    [{ topic: { $in: ['rail'] }, year: 2026 }, ['rail']],
    [{ year: { $gt: 2024, $lt: 2026 } }, ['black']],
    [{ year: { $not: { $gte: 2026 } } }, ['black', 'none']],
    [{ $or: [{ topic: 'rail' }, { $and: [{ topic: 'tea' }, { year: 2025 }] }] }, ['black', 'rail']],
    [{ $nor: [{ topic: 'tea' }, { topic: 'rail' }] }, ['none']],
    [{ $not: { topic: 'tea' } }, ['none', 'rail']],
    [{ tags: { $all: ['hot', 'green'] } }, ['green']],
    [{ year: { $exists: false } }, ['none']],
    [{ topic: { $ne: 'tea' } }, ['none', 'rail']],
    [{ topic: { $nin: ['tea', 'none'] } }, ['rail']],
    [{ day: { $gte: new Date('2026-01-15T00:00:00Z') } }, ['rail']],
    [{ 'author.name': 'Ada' }, ['none']],
    [{ author: { name: 'Ada' } } as unknown as VectorFilter, ['none']],
    [{ topic: 'tea', $and: [] }, ['black', 'green']],
    [{ $or: [] }, []],
    [{ $nor: [] }, ['black', 'green', 'none', 'rail']],
    [{ $or: [{ topic: 'rail' }, { $or: [] }] }, ['rail']],
    [{ tags: { $all: [] } }, []],
    [{ $not: {} }, []],
  ];
  for (const [filter, expected] of cases) {
    const found = await store.query({ indexName, queryVector: [1, 1, 1], filter });
    assert.deepEqual(found.map(({ id }) => id).toSorted(), expected, JSON.stringify(filter));
  }
  const all = await store.query({ indexName, queryVector: [1, 1, 1], filter: {} });
  assert.equal(all.length, 4);
  for (const filter of [
    { topic: { $regex: '^t' } },
    { topic: { $elemMatch: { a: 1 } } },
    { topic: { $contains: 'x' } },
    { topic: undefined },
    { author: { name: undefined } },
    { author: { name: () => 'Ada' } },
    { topic: new Map([['a', 1]]) },
    { topic: { $in: ['tea', undefined] } },
    () => true,
    new Map([['topic', 'tea']]),
  ] as unknown as readonly VectorFilter[]) {
    await refuses(store.query({ indexName, queryVector: [1, 1, 1], filter }), 'UNSUPPORTED_FILTER');
    await refuses(store.query({ indexName, filter }), 'UNSUPPORTED_FILTER');
    await refuses(store.deleteVectors({ indexName, filter }), 'UNSUPPORTED_FILTER');
  }
  await refuses(store.deleteVectors({ indexName, filter: { $and: [] } }), 'NO_FILTER');
  for (const topK of [0, 1_001, 1.5]) await refuses(store.query({ indexName, queryVector: [1, 1, 1], topK }), 'TOP_K');
});

test('an update changes a vector and merges metadata of one row or of those that match', async () => {
  const indexName = await newIndex('updates');
  const read = async (id: string) => {
    const found = await store.query({ indexName, queryVector: [1, 1, 1], topK: 4, includeVector: true });
    return found.find((row) => row.id === id);
  };
  await store.updateVector({ indexName, id: 'green', update: { metadata: { year: 2027 } } });
  assert.deepEqual((await read('green'))?.metadata, { ...metadata[0], year: 2027 });
  await store.updateVector({ indexName, id: 'green', update: { vector: [0, 0, 1], metadata: { text: 'Mild.' } } });
  const green = await read('green');
  assert.deepEqual([green?.vector, green?.document, green?.metadata?.['year']], [[0, 0, 1], 'Mild.', 2027]);
  const base = { text: 'Red.', source: { page: 1, author: 'A' }, end: null, kept: 1, old: 1 };
  await store.upsert({ indexName, vectors: [vectors[0] ?? []], metadata: [base], ids: ['merged'] });
  const patch = { source: { page: 2 }, old: null };
  await store.updateVector({ indexName, id: 'merged', update: { vector: [0, 1, 0], metadata: patch } });
  const { old: _, ...rest } = base;
  const [merged] = await store.query({ indexName, filter: { kept: 1 }, includeVector: true });
  assert.deepEqual([merged?.vector, merged?.metadata], [[0, 1, 0], { ...rest, source: { page: 2, author: 'A' } }]);
  await store.updateVector({ indexName, id: 'merged', update: { vector: [0, 0, 1] } });
  assert.deepEqual((await store.query({ indexName, filter: { kept: 1 } }))[0]?.metadata, merged?.metadata);
  await store.deleteVector({ indexName, id: 'merged' });
  const both = { indexName, id: 'green', filter: { topic: 'tea' }, update: { metadata: { a: 1 } } };
  await refuses(store.updateVector(both as never), 'NO_SELECTION');
  await store.updateVector({ indexName, filter: { topic: 'tea' }, update: { metadata: { topic: 'drink' } } });
  const drinks = await store.query({ indexName, filter: { topic: 'drink' } });
  assert.equal(drinks.length, 2);
  await refuses(store.updateVector({ indexName, id: 'x', update: { metadata: { a: 1 } } }), 'NO_VECTOR');
  await refuses(store.updateVector({ indexName, id: 'x', update: { vector: [1, 0, 0] } }), 'NO_VECTOR');
  await refuses(store.updateVector({ indexName, id: 'x', update: {} }), 'NO_UPDATE');
  const byFilter = { indexName, filter: { topic: 'drink' }, update: { vector: [1, 0, 0] } };
  await refuses(store.updateVector(byFilter), 'UNSUPPORTED_UPDATE');
});

test('vectors are deleted by id, ids and filter, and an upsert can replace those that match', async () => {
  const indexName = await newIndex('deletions');
  await store.deleteVector({ indexName, id: 'green' });
  await store.deleteVectors({ indexName, ids: ['black', 'unknown'] });
  await store.deleteVectors({ indexName, filter: { topic: 'rail' } });
  assert.equal((await store.describeIndex({ indexName })).count, 1);
  await refuses(store.deleteVectors({ indexName }), 'NO_SELECTION');
  await refuses(store.deleteVectors({ indexName, filter: {} }), 'NO_FILTER');
  await refuses(store.deleteVectors({ indexName, ids: ['a'], filter: { a: 1 } }), 'NO_SELECTION');
  const [id] = await store.upsert({ indexName, vectors: [[0, 1, 0]], deleteFilter: { topic: 'none' } });
  const rest = await store.query({ indexName, queryVector: [0, 1, 0] });
  assert.deepEqual(
    rest.map((row) => row.id),
    [id],
  );
});
