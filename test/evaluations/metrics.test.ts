import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  measure,
  type MetricName,
  metricNames,
  openMatcher,
  passageMatcher,
} from '../../shared/evaluations/metrics.ts';
import { detectableLoss, estimates, judge } from '../../shared/evaluations/statistics.ts';

const hit = (id: string, ...matches: number[]) => ({ id, score: 1, matches });

const digits = (value: number): string => value.toFixed(6);

test('metrics of graded hits are those that trec_eval defines', () => {
  // Grades 3, 0 and 2 at the ranks 1, 2 and 4, and one item of grade 1 that is not found.
  const hits = [hit('a', 0), hit('x'), hit('y', 1), hit('b', 2)];
  const grades = new Map([
    [0, 3],
    [1, 0],
    [2, 2],
    [3, 1],
  ]);
  const measured = measure(hits, grades, 3);
  const ideal = 3 + 2 / Math.log2(3) + 1 / Math.log2(4);
  assert.equal(digits(measured?.ndcg_at_10 ?? 0), digits((3 + 2 / Math.log2(5)) / ideal));
  assert.deepEqual([measured?.recall_at_k, measured?.mrr, measured?.hit_at_1], [1 / 3, 1, 1]);
  assert.equal(measure(hits, new Map([[0, 0]]), 3), null);
  assert.equal(measure([hit('x'), hit('a', 0)], new Map([[0, 1]]), 1)?.recall_at_k, 0);
  assert.equal(measure([hit('x'), hit('a', 0)], new Map([[0, 1]]), 1)?.mrr, 0.5);
});

test('further rows of a document have no place, and one row that two items describe is a perfect answer', () => {
  const document = measure(
    [hit('a1', 0), hit('a2', 0), hit('b', 1)],
    new Map([
      [0, 1],
      [1, 1],
    ]),
    2,
  );
  assert.deepEqual([document?.ndcg_at_10, document?.recall_at_k], [1, 1]);
  const both = measure(
    [hit('large', 0, 1)],
    new Map([
      [0, 1],
      [1, 2],
    ]),
    1,
  );
  assert.deepEqual([both?.ndcg_at_10, both?.recall_at_k], [1, 1]);
});

test('a passage matches a text with four fifths of its words, in any order and case', () => {
  const matches = passageMatcher('The mooring costs twelve euros');
  assert.equal(matches('Twelve euros: that is what one MOORING costs.'), true);
  assert.equal(matches('A mooring costs twelve.'), false);
  assert.equal(passageMatcher('…')('anything'), false);
  const row = { id: 'r', text: null, jobId: 'job_1', filename: 'ports.txt' };
  const of = openMatcher({
    relevant: [
      { document: 'ports.txt', grade: 1 },
      { document: 'job_1', grade: 1 },
      { id: 'other', grade: 1 },
    ],
  });
  assert.deepEqual(of(row), [0, 1]);
});

test('intervals are the same for each run, contain the mean, and those of a difference are paired', () => {
  const first = Array.from({ length: 200 }, (_, at) => ((at * 37) % 100) / 100);
  const second = first.map((value) => value - 0.01);
  const difference = second.map((value, at) => value - (first[at] ?? 0));
  const [one, other, paired] = estimates([first, second, difference]);
  assert.deepEqual(estimates([first, second, difference]), [one, other, paired]);
  assert.ok(one !== undefined && other !== undefined && paired !== undefined);
  assert.ok(one.low < one.mean && one.mean < one.high && other.high > one.low);
  assert.ok(Math.abs(paired.low + 0.01) < 1e-9 && Math.abs(paired.high + 0.01) < 1e-9);
});

test('a loss is refused however few questions there are, and a set without one must be able to show it', () => {
  const lost = Array.from({ length: 12 }, () => -0.5);
  const [estimate = { mean: 0, low: 0, high: 0 }] = estimates([lost]);
  assert.equal(judge(estimate, detectableLoss(lost), 0.01), 'lost');
  const equal = Array.from({ length: 1_000 }, () => 0);
  assert.equal(digits(detectableLoss(equal)), '0.001608');
  assert.equal(judge({ mean: 0, high: 0 }, detectableLoss(equal), 0.01), 'passed');
  assert.equal(judge({ mean: 0, high: 0 }, detectableLoss(equal.slice(0, 50)), 0.01), 'too_small');
  assert.equal(judge({ mean: -0.02, high: 0.001 }, 0.008, 0.01), 'passed');
  assert.equal(detectableLoss([]), 1);
});

/** A collection with the figures of trec_eval, which `make-reference.py` has written. */
interface Reference {
  readonly name: string;
  readonly k: number;
  readonly questions: readonly {
    readonly relevant: Readonly<Record<string, number>>;
    readonly hits: readonly string[];
    readonly metrics: Readonly<Record<MetricName, number>>;
  }[];
}

test('metrics of three collections equal those of trec_eval to six digits', () => {
  const file = join(import.meta.dirname, 'trec-eval.json');
  const collections = JSON.parse(readFileSync(file, 'utf8')) as readonly Reference[];
  assert.equal(collections.length, 3);
  for (const { name, k, questions } of collections)
    for (const [at, { relevant, hits, metrics }] of questions.entries()) {
      const items = Object.entries(relevant);
      const matchesOf = openMatcher({ relevant: items.map(([id, grade]) => ({ id, grade })) });
      const row = { text: null, jobId: null, filename: null };
      const measured = measure(
        hits.map((id) => ({ id, score: 1, matches: matchesOf({ id, ...row }) })),
        new Map(items.map(([, grade], item) => [item, grade])),
        k,
      );
      for (const metric of metricNames)
        assert.equal(digits(measured?.[metric] ?? -1), digits(metrics[metric]), `${name} ${at} ${metric}`);
    }
});
