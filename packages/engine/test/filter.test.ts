import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../shared/kernel/json.ts';
import {
  type Filter,
  filterKeys,
  FilterSchema,
  maxFilterBytes,
  maxFilterConditions,
  maxFilterParts,
} from '../src/filter.ts';
import { describeMetadata } from '../src/describe-metadata.ts';
import { distinctValues, type ValuesPage } from '../src/distinct-values.ts';
import { canonicalJson } from '../src/filter-tokens.ts';
import { matcherOf } from '../src/match-filter.ts';
import { oracle, valuesAt } from './support/filter-oracle.ts';
import { makeRow, makeRows, openBench, testForms } from './support/index-bench.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';

const hostile = [
  "it's",
  "''",
  "'; DROP TABLE main; --",
  'back\\slash',
  "\\'",
  'q"uote',
  '\u0000',
  'line\nbreak',
  '%_*',
  '日本語',
  '😀',
  '\u202e',
  '["a",1]',
  '#',
  '',
  '__proto__',
  'constructor',
  'x'.repeat(3_000),
  'x'.repeat(3_001),
];
const dates = [
  '2026',
  '2026-01-31',
  '2026-02-01',
  '2026-02-01T00:00:00Z',
  '2026-02-01 09:59',
  '2026-02-01!',
  '2026-03',
];
const boundNeeded =
  'a finite number or a text of 1 to 100 characters is needed, without quotes, backslashes and control characters';
const keys = ['a', 'b', 'tags', ...hostile];
const numbers = [0, -0, 1, -1, 0.1, 0.30000000000000004, 1e21, 1e20, 5e-324, Number.MAX_VALUE, 2 ** 53, -1e-7];

/** Paths to members, with other hostile names and as deep as members are stored, and deeper. */
const paths = [
  'a.b',
  'a.a',
  'b.a.b',
  'tags.a',
  'a.__proto__',
  'a.',
  '.a',
  'a.a.a',
  `a${'.a'.repeat(8)}`,
  `a${'.a'.repeat(9)}`,
];

const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'tags') },
  { weight: 1, arbitrary: fc.constantFrom(...paths) },
  { weight: 2, arbitrary: fc.constantFrom(...keys) },
);
const filterKey = fc.oneof({ weight: 2, arbitrary: key }, { weight: 1, arbitrary: fc.constantFrom(...paths) });
const scalar = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<string | number | boolean | null>('a', 1, true, false, '1', 'true', null) },
  { weight: 2, arbitrary: fc.constantFrom<string | number | boolean>(...numbers) },
  { weight: 2, arbitrary: fc.constantFrom<string | number | boolean>(...hostile) },
  { weight: 2, arbitrary: fc.constantFrom<string | number | boolean>(...dates) },
);
const deep = (levels: number): JsonObject => ({ a: levels === 0 ? 1 : deep(levels - 1) });
// Entries and JSON, because an object literal or a dictionary would lose the key __proto__.
const objects = [
  '{"a":1}',
  '{"a":1,"b":"a"}',
  '{"b":"a","a":1}',
  '{"a":null}',
  '{"a":{"b":1},"b":[1,{"a":"2026-02-01"}]}',
  '{"__proto__":{"a":1},"a":[true,null]}',
  '{"":{"":"1"}}',
].map((text): JsonObject => JSON.parse(text) as JsonObject);
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 5, arbitrary: scalar },
    { weight: 2, arbitrary: fc.constantFrom(...objects, deep(7), deep(8), deep(9)) },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    {
      weight: 3,
      arbitrary: fc
        .uniqueArray(fc.tuple(key, tie('value')), { maxLength: 3, selector: ([name]) => name })
        .map((entries): JsonObject => Object.fromEntries(entries)),
    },
  ),
}));
const compared = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.constantFrom(...objects, deep(0), deep(3)) },
);
const metadata = fc
  .uniqueArray(fc.tuple(key, value), { maxLength: 5, selector: ([name]) => name })
  .map((entries): JsonObject => Object.fromEntries(entries));

const bounds = [
  'a',
  'b',
  '1',
  '2026-02-01',
  '2026-02-01 10:00',
  ' ',
  '!',
  '日',
  '😀',
  '\ud7ff',
  '\u{10ffff}',
  'x'.repeat(100),
];
const bound = fc.oneof(fc.constantFrom<number | string>(...numbers), fc.constantFrom(...bounds));
const operators = fc
  .record(
    {
      $eq: compared,
      $ne: compared,
      $in: fc.array(compared, { maxLength: 4 }),
      $nin: fc.array(compared, { maxLength: 4 }),
      $gt: bound,
      $gte: bound,
      $lt: bound,
      $lte: bound,
      $exists: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  .filter((record) => Object.keys(record).length > 0)
  .map((record) => Object.fromEntries(Object.entries(record).slice(0, 3)));
const conditions = fc
  .uniqueArray(fc.tuple(filterKey, fc.oneof(compared, operators)), { maxLength: 2, selector: ([name]) => name })
  .map((entries): Filter => Object.fromEntries(entries));
const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    conditions,
    fc.record({ $not: tie('filter') }),
    fc.record({ $and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ $or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
  ),
}));

const problems = (candidate: unknown): readonly string[] => {
  const { error } = FilterSchema.safeParse(candidate);
  return (error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
};

test('a refused filter reports every problem with its path', () => {
  assert.deepEqual(
    problems({
      a: { $foo: 1, $gt: true },
      $nor: [],
      $and: [],
      b: [1],
      c: { $in: [1, [2]] },
      d: {},
      e: { gte: 1 },
      f: { a: { $gt: 1 } },
    }),
    [
      "a.$foo: unknown operator '$foo'",
      `a.$gt: ${boundNeeded}`,
      "$nor: unknown operator '$nor'",
      '$and: a list of at least one filter is needed',
      'b: a string, a finite number, a boolean, null or an object is needed',
      'c.$in.1: a string, a finite number, a boolean, null or an object is needed',
      'd: at least one operator is needed',
      "e.gte: unknown operator 'gte': write '$gte', or $eq and the object",
      "f.a.$gt: operator '$gt' inside an object: write the path as key, such as 'author.name'",
    ],
  );
  for (const candidate of [null, [], 'x', 3]) assert.deepEqual(problems(candidate), [': a filter object is needed']);
  for (const bound of [Number.NaN, '', 'x'.repeat(101), 'a"', 'a\\', 'a\n', '\ud800'])
    assert.deepEqual(problems({ a: { $gt: bound } }), [`a.$gt: ${boundNeeded}`]);
  const joined: readonly ((filter: unknown) => unknown)[] = [
    (filter) => ({ $not: filter }),
    (filter) => ({ $and: [{ b: 1 }, filter] }),
    (filter) => ({ $or: [filter] }),
  ];
  for (const join of joined) {
    const nested = (levels: number): unknown => (levels === 0 ? { a: 1 } : join(nested(levels - 1)));
    assert.deepEqual(problems(nested(8)), []);
    for (const levels of [9, 1_000]) assert.match(problems(nested(levels))[0] ?? '', /at most 8 deep$/);
  }
  const many = { $or: Array.from({ length: maxFilterConditions + 1 }, (_, number) => ({ a: number })) };
  assert.deepEqual(problems(many), [': at most 64 conditions are allowed']);
  assert.deepEqual(problems({ a: { $in: Array.from({ length: 1_001 }, () => 1) } }), [
    ': at most 1000 listed values are allowed',
  ]);
});

test('a filter of empty, malformed or unknown parts has the same limits as others, and a limited number of errors', () => {
  const repeat = <Part>(part: Part, count: number): Part[] => Array.from({ length: count }, () => part);
  const named = <Value>(name: string, value: Value, count: number): Readonly<Record<string, Value>> =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, value]));
  const tooManyParts = ': at most 512 parts of $and, $or and $not are allowed';
  const tooManyConditions = ': at most 64 conditions are allowed';
  for (const count of [maxFilterParts + 1, 100_000]) {
    assert.deepEqual(problems({ $and: repeat({}, count) }), [tooManyParts]);
    assert.deepEqual(problems({ $or: repeat({ $not: {} }, count) }), [tooManyParts]);
    for (const part of [null, { $and: [] }, { key: {} }, { $nor: 1 }, { key: { $foo: 1 } }]) {
      const reported = problems({ $and: repeat(part, count) });
      assert.ok(reported.some((problem) => problem === tooManyParts || problem === tooManyConditions));
      assert.ok(reported.length <= maxFilterParts + maxFilterConditions + 2, String(reported.length));
    }
  }
  for (const value of [[], {}, { $foo: 1 }]) {
    const reported = problems(named('key', value, 50_000));
    assert.equal(reported.at(-1), tooManyConditions);
    assert.ok(reported.length <= maxFilterConditions + 2, String(reported.length));
  }
  assert.equal(problems({ key: named('$', 1, 50_000) }).at(-1), tooManyConditions);
  assert.deepEqual(problems({ $and: repeat({}, maxFilterParts) }), []);
  assert.deepEqual(problems({ key: 'x'.repeat(maxFilterBytes - 10) }), []);
  assert.deepEqual(problems({ key: 'é'.repeat(maxFilterBytes / 2) }), [': at most 2097152 bytes as JSON are allowed']);
  const widest = Array.from({ length: maxFilterConditions }, (_, at) => ({ $not: { $and: [{ $or: [{ a: at }] }] } }));
  assert.deepEqual(problems({ $or: [{ $and: [{ $not: { $or: widest } }] }] }), []);
  assert.deepEqual(filterKeys({ $and: [...repeat({}, 100_000), { late: 1 }] }), []);
});

test('a filter passes unchanged, the key __proto__ included, and names its keys', () => {
  const sent: unknown = JSON.parse('{"__proto__": 1, "$or": [{"a": 1}, {"$not": {"b": {"$exists": true}}}], "a": 2}');
  const parsed = FilterSchema.parse(sent);
  assert.equal(parsed, sent);
  assert.deepEqual(filterKeys(parsed), ['__proto__', 'a', 'b']);
});

test('null, members of objects and whole objects are compared, and what negations match has none of them', () => {
  const rows: readonly JsonObject[] = [
    { n: null, o: { lang: 'en', size: 3 } },
    { n: [null, 2], o: [{ lang: 'de' }, { lang: 'en', size: 9 }] },
    { n: 1, 'o.lang': 'en' },
    { o: 'en' },
  ];
  const matching = (candidate: Filter, hidden: readonly string[] = []): readonly number[] => {
    const matches = matcherOf(candidate, { nonFilterableKeys: hidden });
    return rows.flatMap((row, at) => (matches(row) ? [at] : []));
  };
  assert.deepEqual(
    [matching({ n: null }), matching({ n: { $ne: null } })],
    [
      [0, 1],
      [2, 3],
    ],
  );
  assert.deepEqual([matching({ n: { $in: [null, 1] } }), matching({ n: { $nin: [null, 1] } })], [[0, 1, 2], [3]]);
  assert.deepEqual([matching({ 'o.lang': 'en' }), matching({ 'o.lang': { $ne: 'en' } })], [[0, 1, 2], [3]]);
  assert.deepEqual([matching({ o: { size: 3, lang: 'en' } }), matching({ o: { lang: 'de' } })], [[0], [1]]);
  assert.deepEqual(matching({ o: { $nin: [{ lang: 'de' }, 'en'] } }), [0, 2]);
  assert.deepEqual([matching({ 'o.size': { $gte: 3 } }), matching({ 'o.size': { $exists: true } })], [[0], [0, 1]]);
  assert.deepEqual(matching({ 'o.lang': { $lt: 'e' } }), [1]);
  assert.deepEqual([matching({ 'o.lang': 'en' }, ['o']), matching({ o: { $exists: true } }, ['o'])], [[2], []]);
});

test('texts are compared by code point, as a whole and as members of a list', () => {
  const days = ['2026-01-31', '2026-02-01', '2026-02-01 09:30', '2026-02-28T23:59:59Z', '2026-03-01'];
  const settings = { nonFilterableKeys: [] } as const;
  const matching = (range: Filter): readonly string[] => {
    const matches = matcherOf(range, settings);
    return days.filter((day) => matches({ day }) && matches({ day: ['x', day] }));
  };
  assert.deepEqual(matching({ day: { $gte: '2026-02-01', $lt: '2026-03-01' } }), days.slice(1, 4));
  assert.deepEqual(matching({ day: { $gt: '2026-02-01' } }), days.slice(2));
  assert.deepEqual(matching({ day: { $lte: '2026-02-01' } }), days.slice(0, 2));
  assert.deepEqual(matching({ day: { $lt: '2026-02-01 09:30' } }), days.slice(0, 2));
  assert.deepEqual(matching({ $not: { day: { $gt: 2026 } }, other: { $ne: 1 } }), days);
  const isAsDefined = (candidate: Filter, row: JsonObject): void =>
    assert.equal(matcherOf(candidate, settings)(row), oracle(candidate, row));
  fc.assert(fc.property(filter, metadata, isAsDefined), { seed: 5, numRuns: 1_000 });
});

testForms('stored rows match filters exactly as defined, for hostile keys and values', async (form) => {
  const rows = fc.sample(metadata, { seed: 20_240_601, numRuns: 120 });
  const bench = await openBench(temporaryDirectory(), { form, dimensions: 2, nonFilterableKeys: ['secret'] });
  await bench.upsert(
    ...rows.map((row, number) => makeRow(`row${number}`, [1, number], { metadata: { ...row, secret: 1 } })),
  );
  const check = async (candidate: Filter): Promise<void> => {
    assert.deepEqual(problems(candidate), []);
    const wanted = rows.flatMap((row, number) => (oracle(candidate, row) ? [`row${number}`] : [])).toSorted();
    const asked = { $and: [candidate, { filler: { $ne: true } }] };
    const page = await bench.reader.list(bench.ref(), { after: null, limit: 200, filter: asked });
    assert.deepEqual(
      page.rows.map(({ id }) => id),
      wanted,
    );
    assert.equal(await bench.reader.count(bench.ref(), asked), wanted.length);
  };
  await fc.assert(fc.asyncProperty(filter, check), { seed: 1, numRuns: 120 });
  await bench.maintain();
  await fc.assert(fc.asyncProperty(filter, check), { seed: 2, numRuns: 40 });
  // From some thousand rows on, an index narrows the rows that are looked at.
  await bench.upsert(...makeRows(5_000, (number) => [[1, number], '', { filler: true, number }], 'filler'));
  await fc.assert(fc.asyncProperty(filter, check), { seed: 3, numRuns: 40 });
  await bench.maintain();
  await fc.assert(fc.asyncProperty(filter, check), { seed: 4, numRuns: 120 });
  const wide = { $or: Array.from({ length: maxFilterConditions }, (_, number) => ({ a: { $gt: 1e9 + number } })) };
  await check({ $not: { $or: [{ $and: [{ $not: { $and: [{ $not: wide }] } }] }] } });
  await check({ a: { $in: Array.from({ length: 1_000 }, (_, number) => `value ${number} of '1000'`) } });
  assert.equal(await bench.reader.count(bench.ref(), { secret: 1 }), 0);
});

testForms('a summary of metadata has the values that a scan of all rows finds, page by page', async (form) => {
  const rows = fc.sample(metadata, { seed: 20_261_127, numRuns: 80 });
  const bench = await openBench(temporaryDirectory(), { form, dimensions: 2 });
  await bench.upsert(...rows.map((row, number) => makeRow(`row${number}`, [1, number], { metadata: row })));
  const members = (row: JsonObject, name: string): readonly Json[] => {
    const found = valuesAt(row, name).flatMap(({ value: at }) => (Array.isArray(at) ? (at as readonly Json[]) : [at]));
    return found.filter((member) => !Array.isArray(member));
  };
  const text = (member: Json): string => canonicalJson(member);
  const check = async (candidate: Filter, name: string, limit: number): Promise<void> => {
    const matching = rows.filter((row) => oracle(candidate, row));
    const wanted = new Map<string, number>();
    for (const row of matching)
      for (const member of new Set(members(row, name).map(text))) wanted.set(member, (wanted.get(member) ?? 0) + 1);
    const found: (readonly [string, number])[] = [];
    let page: ValuesPage | null = null;
    do {
      const begin = distinctValues(bench.ref(), { key: name, contains: null, limit, after: page?.next ?? null });
      page = await bench.reader.summarize(bench.ref(), candidate, begin);
      assert.equal(page.distinct, wanted.size);
      found.push(...page.values.map(({ value: member, count }) => [text(member), count] as const));
    } while (page.next !== null);
    assert.deepEqual(new Map(found), wanted);
    assert.equal(found.length, wanted.size);
    const { rows: read, keys: described } = await bench.reader.summarize(
      bench.ref(),
      candidate,
      describeMetadata(bench.ref(), [name]),
    );
    const numbers = matching.flatMap((row) => {
      const [place, ...others] = valuesAt(row, name);
      return place !== undefined && others.length === 0 && !place.isInList && typeof place.value === 'number'
        ? [place.value + 0] // A row stores -0 as 0.
        : [];
    });
    assert.equal(read, matching.length);
    assert.deepEqual(
      described.map(({ rows: having, distinct, numbers: range }) => [having, distinct, range]),
      [
        [
          matching.filter((row) => valuesAt(row, name).length > 0).length,
          wanted.size,
          numbers.length === 0 ? null : { min: Math.min(...numbers), max: Math.max(...numbers) },
        ],
      ],
    );
  };
  const names = fc.constantFrom('a', 'b', 'tags', 'a.b', 'b.a.b');
  await fc.assert(fc.asyncProperty(filter, names, fc.constantFrom(1, 3, 100), check), { seed: 6, numRuns: 60 });
});

testForms(
  'metadata without named keys is described by its first hundred keys, and texts are found by a part of them',
  async (form) => {
    const bench = await openBench(temporaryDirectory(), { form, dimensions: 2, nonFilterableKeys: ['hidden'] });
    const wide = Object.fromEntries(
      Array.from({ length: 130 }, (_, at) => [`k${String(130 - at).padStart(3, '0')}`, at]),
    );
    await bench.upsert(
      makeRow('a', [1, 0], { metadata: { tag: ['All_Beauty', 'Home'], n: [1], hidden: 1, $own: 1 } }),
      makeRow('b', [0, 1], { metadata: { tag: 'beauties', n: 2, o: { m: null } } }),
    );
    const described = async () => bench.reader.summarize(bench.ref(), undefined, describeMetadata(bench.ref(), null));
    assert.deepEqual(await described(), {
      rows: 2,
      keys: [
        { key: 'n', rows: 2, types: ['number', 'list'], distinct: 2, numbers: { min: 2, max: 2 }, texts: null },
        { key: 'o', rows: 1, types: ['object'], distinct: 1, numbers: null, texts: null },
        {
          key: 'tag',
          rows: 2,
          types: ['text', 'list'],
          distinct: 3,
          numbers: null,
          texts: { min: 'All_Beauty', max: 'beauties' },
        },
      ],
      more: false,
    });
    const begin = distinctValues(bench.ref(), { key: 'tag', contains: 'BEAUT', limit: 5, after: null });
    assert.deepEqual(await bench.reader.summarize(bench.ref(), undefined, begin), {
      values: [
        { value: 'All_Beauty', count: 1 },
        { value: 'beauties', count: 1 },
      ],
      distinct: 2,
      next: null,
    });
    await bench.upsert(makeRow('c', [1, 1], { metadata: wide }));
    const { keys: first, more } = await described();
    assert.deepEqual([first.length, first[0]?.key, first.at(-1)?.key, more], [100, 'k001', 'k100', true]);
  },
);

testForms(
  'an update by filter changes exactly the matching rows, or none if they are too many or too large',
  async (form) => {
    const bench = await openBench(temporaryDirectory(), { form, dimensions: 2 });
    await bench.upsert(...makeRows(40, (number) => [[1, number], `text ${number}`, { n: number, old: true }]));
    const update = {
      kind: 'patchWhere',
      filter: { n: { $gte: 30 } },
      metadata: { old: null, new: { at: 1 } },
    } as const;
    const limits = { maxRowBytes: 1_000, maxBytes: 1_000_000 };
    const [tooMany] = (await bench.commit({ ...update, ...limits, maxBytes: 5_000 })).results;
    assert.deepEqual(tooMany, { written: 0, deleted: 0, tooMany: 10 });
    const [tooLarge] = (await bench.commit({ ...update, ...limits, maxRowBytes: 10 })).results;
    assert.equal(tooLarge?.tooLarge?.length, 10);
    assert.equal(await bench.reader.count(bench.ref(), { old: true }), 40);
    const first = await bench.commitAs(['update'], { ...update, ...limits });
    assert.deepEqual(first.results, [{ written: 10, deleted: 0 }]);
    assert.equal(await bench.reader.count(bench.ref(), { 'new.at': 1, n: { $gte: 30 }, old: { $exists: false } }), 10);
    assert.deepEqual((await bench.commitAs(['update'], { ...update, ...limits })).results, first.results);
    assert.equal(bench.state().rows, 40);
  },
);

testForms('a deletion of all rows leaves no row, is applied once, and searches find later rows', async (form) => {
  const bench = await openBench(temporaryDirectory(), { form, dimensions: 2 });
  await bench.upsert(...makeRows(600, (number) => [[1, number], `word${number} tea`, { n: number }]));
  const dense = { mode: 'dense', vector: Float32Array.of(1, 0), topK: 3 } as const;
  assert.equal((await bench.reader.search(bench.ref(), dense)).length, 3);
  const emptied = await bench.commitAs(['empty'], { kind: 'deleteWhere', filter: {} });
  assert.deepEqual(emptied.results, [{ written: 0, deleted: 600 }]);
  assert.deepEqual([emptied.state.rows, emptied.state.sparseBytes], [0, 0]);
  assert.deepEqual(await bench.reader.search(bench.ref(), dense), []);
  await bench.upsert(makeRow('late', [1, 1], { text: 'late tea' }));
  assert.deepEqual((await bench.commitAs(['empty'], { kind: 'deleteWhere', filter: {} })).results, emptied.results);
  for (const query of [dense, { mode: 'sparse', text: 'tea', topK: 3 } as const])
    assert.deepEqual(
      (await bench.reader.search(bench.ref(), query)).map(({ row }) => row.id),
      ['late'],
    );
  assert.equal((await bench.maintain()).rows, 1);
});
