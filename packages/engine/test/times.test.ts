import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileVectorFilter } from '../../local-cloud/src/index.ts';
import type { Json, JsonObject } from '../../../shared/kernel/json.ts';
import { describeMetadata } from '../src/describe-metadata.ts';
import { distinctValues } from '../src/distinct-values.ts';
import { type Filter, FilterSchema } from '../src/filter.ts';
import { instantOf } from '../src/instant.ts';
import { matcherOf } from '../src/match-filter.ts';
import { compileFilter } from '../src/s3-vectors/compile-filter.ts';
import { encodeRow } from '../src/s3-vectors/encode-row.ts';
import { Unsupported } from '../src/unsupported.ts';
import { oracle, unitsOf } from './support/filter-oracle.ts';
import { makeRow, makeRows, openBench, testForms } from './support/index-bench.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';

const pad = (value: number): string => String(value).padStart(2, '0');

/** Times that are close to each other, in any spelling. */
const time = fc
  .record({
    seconds: fc.constantFrom(0, 1, 59, 3_600, 86_399, 86_400, -1, -3_600, 28 * 86_400),
    minutes: fc.constantFrom(0, 0, 60, -60, 330, -90, 1_439, -1_439),
    fraction: fc.constantFrom('', '.0', '.000', '.5', '.50', '.123456789', '.1234567891', `.${'0'.repeat(24)}1`),
    spelling: fc.constantFrom('Z', '+', 'z', 't'),
  })
  .map(({ seconds, minutes, fraction, spelling }) => {
    const local = new Date(Date.UTC(2026, 1, 1) + (seconds + minutes * 60) * 1000).toISOString().slice(0, 19);
    const offset = Math.abs(minutes);
    const zone =
      minutes === 0 && spelling !== '+'
        ? spelling.replace('t', 'Z')
        : `${minutes < 0 || (minutes === 0 && seconds === 1) ? '-' : '+'}${pad(Math.floor(offset / 60))}:${pad(offset % 60)}`;
    return `${spelling === 't' ? local.replace('T', 't') : local}${fraction}${zone}`;
  });
const rare = fc.constantFrom(
  '2016-12-31T23:59:59.999Z',
  '2016-12-31T23:59:60Z',
  '2017-01-01T00:59:60.5+01:00',
  '2017-01-01T00:00:00Z',
  '0000-01-01T00:00:00+23:59',
  '0001-03-01T00:00:00Z',
  '9999-12-31T23:59:59.9-23:59',
  '2024-02-29T12:00:00Z',
);
/** Texts that resemble times. */
const other = fc.constantFrom(
  '2026-02-01',
  '2026-02-01T00:00:00',
  '2026-02-01 00:00:00Z',
  '2026-02-01T00:00:00+0100',
  '2026-02-01T00:00:00+01',
  '2026-02-01T00:00Z',
  '2026-02-30T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '2026-02-01T24:00:00Z',
  '2026-02-01T00:00:60Z',
  '2026-02-01T00:00:00.Z',
  '2026-02-01T00:00:00Z ',
  '2026-02-01T00:00:00+24:00',
  '+2026-02-01T00:00:00Z',
  '',
  'soon',
);
const text = fc.oneof({ weight: 6, arbitrary: time }, { weight: 1, arbitrary: rare }, { weight: 2, arbitrary: other });
const scalar = fc.oneof(
  { weight: 8, arbitrary: text },
  { weight: 1, arbitrary: fc.constantFrom<string | number | boolean | null>(null, 0, 1_769_904_000, true) },
);
const value: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.record({ at: text, by: fc.array(text, { maxLength: 2 }) }) },
);
const key = fc.constantFrom('t', 'u', 't.at', 'k'.repeat(200));
const metadata = fc
  .uniqueArray(fc.tuple(key, value), { maxLength: 3, selector: ([name]) => name })
  .map((entries): JsonObject => Object.fromEntries(entries));

const compared = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 1, arbitrary: fc.record({ at: text, by: fc.array(text, { maxLength: 2 }) }) },
);
const bound = fc.oneof(
  { weight: 8, arbitrary: fc.oneof(time, rare) },
  { weight: 1, arbitrary: other.filter((candidate) => candidate !== '') },
  { weight: 1, arbitrary: fc.constantFrom<string | number>(0, 1_769_904_000) },
);
const operators = fc
  .record(
    {
      $eq: compared,
      $ne: compared,
      $in: fc.array(compared, { maxLength: 3 }),
      $nin: fc.array(compared, { maxLength: 3 }),
      $gt: bound,
      $gte: bound,
      $lt: bound,
      $lte: bound,
    },
    { requiredKeys: [] },
  )
  .filter((record) => Object.keys(record).length > 0)
  .map((record) => Object.fromEntries(Object.entries(record).slice(-2)));
const condition = fc.tuple(key, fc.oneof(compared, operators)).map(([name, operand]): Filter => ({ [name]: operand }));
const { anyFilter } = fc.letrec<{ anyFilter: Filter }>((tie) => ({
  anyFilter: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { weight: 3, arbitrary: condition },
    { weight: 1, arbitrary: fc.record({ $not: tie('anyFilter') }) },
    { weight: 1, arbitrary: fc.record({ $and: fc.array(tie('anyFilter'), { minLength: 1, maxLength: 2 }) }) },
    { weight: 1, arbitrary: fc.record({ $or: fc.array(tie('anyFilter'), { minLength: 1, maxLength: 2 }) }) },
  ),
}));
const filter = anyFilter.filter((candidate) => FilterSchema.safeParse(candidate).success);

test('times with an offset have an instant that orders them, and other texts have none', () => {
  const isOrdered = (left: string, right: string): void => {
    const [first, second] = [instantOf(left), instantOf(right)];
    const [wanted, besides] = [unitsOf(left), unitsOf(right)];
    assert.deepEqual([first === null, second === null], [wanted === null, besides === null], `${left} ${right}`);
    if (first === null || second === null || wanted === null || besides === null) return;
    assert.equal(
      Math.sign(Buffer.compare(Buffer.from(first), Buffer.from(second))),
      Number(wanted > besides) - Number(wanted < besides),
    );
  };
  fc.assert(fc.property(text, text, isOrdered), { seed: 1, numRuns: 20_000 });
  const [long, longer] = [`2026-02-01T00:00:00.${'0'.repeat(30_000)}1Z`, `2026-02-01T00:00:00.${'0'.repeat(30_001)}1Z`];
  assert.ok((instantOf(long) ?? '') > (instantOf(longer) ?? ''));
});

test('a range has bounds of one form, wherever AND joins them', () => {
  const mixed =
    'one bound of this range is a time with an offset and the other is not: write both like 2026-02-01T00:00:00Z';
  const problems = (candidate: unknown): readonly string[] =>
    (FilterSchema.safeParse(candidate).error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  const [instant, day] = ['2026-02-01T00:00:00+01:00', '2026-03-01'];
  assert.deepEqual(problems({ t: { $gte: instant, $lt: day } }), [`t.$lt: ${mixed}`]);
  assert.deepEqual(problems({ t: { $gte: day, $lt: instant } }), [`t.$lt: ${mixed}`]);
  assert.deepEqual(problems({ $and: [{ t: { $gte: instant } }, { $and: [{ t: { $lt: day } }] }] }), [
    `$and.1.$and.0.t.$lt: ${mixed}`,
  ]);
  assert.deepEqual(problems({ t: { $gte: instant }, $not: { t: { $lt: instant, $gt: day } } }), [
    `$not.t.$gt: ${mixed}`,
  ]);
  assert.deepEqual(problems({ $or: [{ t: { $gte: instant } }, { t: { $gte: day } }] }), []);
  assert.deepEqual(problems({ t: { $gte: instant, $ne: day }, u: { $lt: day } }), []);
});

testForms('filters with times match on both engines as a plain model says', async (form) => {
  const settings = { nonFilterableKeys: [] } as const;
  let compiled = 0;
  const isAsDefined = (candidate: Filter, row: JsonObject): void => {
    const wanted = oracle(candidate, row);
    assert.equal(matcherOf(candidate, settings)(row), wanted, JSON.stringify([candidate, row]));
    try {
      const stored = encodeRow(makeRow('row', [1, 0], { metadata: row }), 'v', settings).metadata;
      assert.equal(compileVectorFilter(compileFilter(candidate), ['text', 'meta', 'row'])(stored), wanted);
      compiled += 1;
    } catch (error) {
      // The engine compares no texts by order.
      if (!(error instanceof Unsupported)) throw error;
    }
  };
  fc.assert(fc.property(filter, metadata, isAsDefined), { seed: 2, numRuns: 10_000 });
  assert.ok(compiled > 3_000, String(compiled));

  const rows = fc.sample(metadata, { seed: 3, numRuns: 150 });
  const bench = await openBench(temporaryDirectory(), { form, dimensions: 2 });
  const named = rows.map((row, number) => makeRow(`row${number}`, [1, number], { metadata: row }));
  await bench.upsert(...named.slice(0, 100));
  await bench.maintain();
  await bench.upsert(...named.slice(100));
  const check = async (candidate: Filter): Promise<void> => {
    const wanted = rows.flatMap((row, number) => (oracle(candidate, row) ? [`row${number}`] : [])).toSorted();
    const page = await bench.reader.list(bench.ref(), {
      after: null,
      limit: 200,
      filter: { $and: [candidate, { filler: { $ne: true } }] },
    });
    assert.deepEqual(
      page.rows.map(({ id }) => id),
      wanted,
    );
  };
  await fc.assert(fc.asyncProperty(filter, check), { seed: 4, numRuns: 400 });
  await bench.upsert(...makeRows(5_000, (number) => [[1, number], '', { filler: true, number }], 'filler'));
  await bench.maintain();
  await fc.assert(fc.asyncProperty(filter, check), { seed: 5, numRuns: 100 });
});

testForms(
  'times of one instant are one listed value, and a description has the first and the last instant',
  async (form) => {
    const bench = await openBench(temporaryDirectory(), { form, dimensions: 2 });
    const days = [
      '2026-02-01T01:30:00+01:00',
      '2026-02-01T00:30:00Z',
      '2026-02-01T00:30:00.000Z',
      '2026-02-01T00:00:00Z',
      '2026-01-31T23:00:00-02:00',
    ];
    await bench.upsert(
      ...days.map((t, at) => makeRow(`row${at}`, [1, at], { metadata: { t, u: at === 0 ? 'soon' : t } })),
    );
    const listed = async (limit: number, after: string | null) =>
      bench.reader.summarize(
        bench.ref(),
        undefined,
        distinctValues(bench.ref(), { key: 't', contains: null, limit, after }),
      );
    const first = await listed(1, null);
    assert.deepEqual(first.values, [{ value: '2026-02-01T00:00:00Z', count: 1 }]);
    const rest = await listed(5, first.next);
    assert.deepEqual(rest, {
      values: [
        { value: '2026-02-01T00:30:00.000Z', count: 3 },
        { value: '2026-01-31T23:00:00-02:00', count: 1 },
      ],
      distinct: 3,
      next: null,
    });
    const described = await bench.reader.summarize(bench.ref(), undefined, describeMetadata(bench.ref(), ['t', 'u']));
    assert.deepEqual(
      described.keys.map(({ distinct, texts }) => [distinct, texts]),
      [
        [3, { min: '2026-02-01T00:00:00Z', max: '2026-01-31T23:00:00-02:00' }],
        [4, { min: '2026-01-31T23:00:00-02:00', max: 'soon' }],
      ],
    );
  },
);
