import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../shared/kernel/json.ts';
import { newIndex } from '../../shared/indexes/new-index.ts';
import { toIndexRecord } from '../../shared/indexes/record.ts';
import { toItem } from '../../shared/indexes/to-item.ts';
import { type Filter, FilterSchema } from '../../shared/platform/engine/filter.ts';
import type { FilterRules } from '../../shared/platform/engine/metadata-tokens.ts';
import type { Reader } from '../../shared/reader/index.ts';
import { filterProblems } from '../../shared/vectors/index.ts';
import { makeRow, openBench } from '../engine/support/index-bench.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const indexWith = (filterRules: FilterRules) =>
  newIndex({
    id: 'idx_1',
    organizationId: 'org_1',
    name: 'rows',
    dimensions: 2,
    metric: 'cosine',
    region: 'eu-central-1',
    engine: 'lance',
    nonFilterableKeys: [],
    textLanguage: 'english',
    analyzer: 'v2',
    filterRules,
    embeddingModel: 'embedded',
    createdAt: '2026-01-01T00:00:00.000Z',
    parentIndexId: null,
    branchDepth: 0,
  });

test('an index of an earlier version refuses null, objects and members, and keeps its keys with a dot', async (context) => {
  const bench = await openBench(temporaryDirectory(context), { dimensions: 2, filterRules: 'v1' });
  // The local reader of one index, whose only operation here is the count.
  const reader = {
    isLocal: () => true,
    execute: async (_: unknown, { filter }: { readonly filter: Filter }) => ({
      rows: await bench.reader.count(bench.ref(), FilterSchema.parse(filter)),
    }),
  } as unknown as Reader;
  const refused = async (filter: JsonObject, rules: FilterRules = 'v1'): Promise<readonly unknown[]> =>
    (await filterProblems({ filter }, indexWith(rules), reader)).map(({ loc }) => loc.at(-1));
  await bench.upsert(makeRow('a', [1, 0], { metadata: { 'dc.title': 'tea', n: null } }));
  const byNull = { $not: { n: { $nin: [1, null] } }, o: { lang: 'en' }, 'dc.title': { $ne: 'tea' } };
  assert.deepEqual(await refused(byNull), ['n', 'o']);
  assert.deepEqual(await refused({ 'o.lang': 'en' }), []);
  assert.equal(await bench.reader.count(bench.ref(), { 'dc.title': 'tea' }), 1);
  await bench.upsert(makeRow('b', [1, 0], { metadata: { o: { lang: 'en' } } }));
  assert.deepEqual(await refused({ $or: [{ 'o.lang': { $ne: 'en' } }, { 'dc.title': 'tea' }] }), [
    'o.lang',
    'dc.title',
  ]);
  assert.deepEqual(await refused({ 'dc.title': 'tea', o: { $exists: true } }), []);
  assert.deepEqual(await refused({ ...byNull, 'o.lang': 'en' }, 'v2'), []);
});

test('the record of an index keeps its filter rules, and one of an earlier version has the first ones', () => {
  const { filter_rules: rules, ...earlier } = toItem(indexWith('v2'));
  assert.equal(rules, 'v2');
  assert.equal(toIndexRecord({ ...earlier, filter_rules: 'v2' }).filterRules, 'v2');
  assert.equal(toIndexRecord(earlier).filterRules, 'v1');
});
