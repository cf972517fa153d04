import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { seededOrder } from '../../bench/data/random.ts';
import { trueNeighbours } from '../../bench/data/truth.ts';
import type { Vectors } from '../../bench/data/vectors.ts';
import { recallOf, runSearches, summarize } from '../../bench/measure/searches.ts';
import { readOptions } from '../../bench/options.ts';
import { plotSearchTimes } from '../../bench/report/plot.ts';

const vectorsOf = (rows: readonly (readonly number[])[]): Vectors => ({
  dimensions: 4,
  count: rows.length,
  at: (position) => Float32Array.from(rows[position] ?? []),
});

test('the true neighbours are those of a full sort, under both metrics and under a filter', async () => {
  const vector = fc.tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 1, max: 9 })));
  await fc.assert(
    fc.asyncProperty(fc.array(vector, { minLength: 101, maxLength: 230 }), vector, async (rows, query) => {
      const set = { base: vectorsOf(rows), queries: vectorsOf([query]) };
      for (const metric of ['cosine', 'euclidean'] as const) {
        const distance = (row: readonly number[]): number => {
          const dot = (one: readonly number[], other: readonly number[]): number =>
            one.reduce((sum, part, at) => sum + part * (other[at] ?? 0), 0);
          return metric === 'cosine'
            ? -dot(row, query) / Math.sqrt(dot(row, row))
            : row.reduce((sum, part, at) => sum + (part - (query[at] ?? 0)) ** 2, 0);
        };
        for (const filtered of [false, true]) {
          const candidates = rows.map((row, at) => ({ at, row })).filter(({ at }) => !filtered || at % 100 === 0);
          const expected = candidates.map(({ row }) => distance(row)).toSorted((one, other) => one - other);
          const [found = []] = await trueNeighbours(set, metric, 10, filtered);
          assert.equal(new Set(found).size, Math.min(10, candidates.length));
          found.forEach((at, rank) =>
            assert.ok(Math.abs(distance(rows[at] ?? []) - (expected[rank] ?? Number.NaN)) < 1e-6),
          );
        }
      }
    }),
    { seed: 6, numRuns: 30 },
  );
});

test('clients share the searches, each runs once, and the figures follow from their times', async () => {
  const seen: number[] = [];
  const stretch = await runSearches((number) => seen.push(number), 3, 20);
  assert.deepEqual(
    seen.toSorted((one, other) => one - other),
    Array.from({ length: 20 }, (_, at) => at),
  );
  assert.equal(stretch.eachMs.length, 20);
  const eachMs = Array.from({ length: 100 }, (_, at) => 100 - at);
  const times = summarize([{ eachMs, allMs: 10_000 }]);
  assert.deepEqual(times, { p50Ms: 51, p95Ms: 96, p99Ms: 100, perSecond: 10 });
  assert.equal(
    recallOf(
      [
        [1, 2],
        [3, 4],
      ],
      [
        [2, 9],
        [4, 3],
      ],
    ),
    0.75,
  );
});

test('a random order has every number once, and invalid options are refused', () => {
  assert.deepEqual(
    [...seededOrder(50, 1)].toSorted((one, other) => one - other),
    Array.from({ length: 50 }, (_, at) => at),
  );
  assert.deepEqual(seededOrder(50, 1), seededOrder(50, 1));
  assert.deepEqual(readOptions(['--sizes', '5000x1536'])?.sizes, [{ rows: 5_000, dimensions: 1536 }]);
  assert.throws(() => readOptions(['--sizes', '5000x99']), /100 or 1536/);
  assert.throws(() => readOptions(['--searches', '0']), /above 0/);
});

test('the plot has a bar for each peer', () => {
  const times = new Map([[1, { p50Ms: 2.5, p95Ms: 3, p99Ms: 4, perSecond: 400 }]]);
  const measured = ['strata', 'lance'].map((name) => ({
    peer: { name, title: `<${name}>`, reached: 'HTTP' as const },
    recall: 1,
    loadSeconds: 1,
    readySeconds: 1,
    times,
    filtered: undefined,
  }));
  const svg = plotSearchTimes([{ size: { rows: 10, dimensions: 100 }, measured, missing: [] }]);
  assert.equal(svg.match(/<rect /g)?.length, 3);
  assert.match(svg, /&lt;strata> \(HTTP\)/);
});
