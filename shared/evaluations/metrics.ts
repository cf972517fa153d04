import type { GoldenQuestion } from '../golden-sets/index.ts';

/** Metrics of an evaluation. Each is between 0 and 1 for a question. */
export const metricNames = ['ndcg_at_10', 'recall_at_k', 'mrr', 'hit_at_1'] as const;
export type MetricName = (typeof metricNames)[number];

export type Metrics = Readonly<Record<MetricName, number>>;

/** Rank up to which nDCG is computed. */
export const ndcgDepth = 10;

/** A hit, as far as it is compared with what a question should find. */
export interface EvaluatedHit {
  readonly id: string;
  readonly score: number;
  /** Numbers of the relevant items of the question that it matches, from 0. */
  readonly matches: readonly number[];
}

/** Share of the words of a passage that a text needs to match it. */
const minSharedWords = 0.8;

/** Returns the distinct words of a text. */
const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));

/** Returns a predicate of texts that have enough words of a passage. */
export const passageMatcher = (passage: string): ((text: string) => boolean) => {
  const wanted = [...wordsOf(passage)];
  return (text) => {
    if (wanted.length === 0) return false;
    const words = wordsOf(text);
    return wanted.filter((word) => words.has(word)).length >= minSharedWords * wanted.length;
  };
};

/** A row, as far as it can match a relevant item. */
interface MatchedRow {
  readonly id: string;
  readonly text: string | null;
  readonly jobId: string | null;
  readonly filename: string | null;
}

/** Returns a function that returns the numbers of the relevant items of a question that a row matches. */
export const openMatcher = ({
  relevant,
}: Pick<GoldenQuestion, 'relevant'>): ((row: MatchedRow) => readonly number[]) => {
  const tests = relevant.map(({ id, document, text }) => {
    if (id !== undefined) return (row: MatchedRow): boolean => row.id === id;
    if (document !== undefined)
      return (row: MatchedRow): boolean => row.jobId === document || row.filename === document;
    const matches = passageMatcher(text ?? '');
    return (row: MatchedRow): boolean => matches(row.text ?? '');
  });
  return (row) => tests.flatMap((isMatch, at) => (isMatch(row) ? [at] : []));
};

const discount = (rank: number): number => 1 / Math.log2(rank + 1);

/** Place of a hit: the highest grade of the items that it finds, the grades of the others, and how many are relevant. */
interface Place {
  readonly grade: number;
  readonly others: readonly number[];
  readonly relevant: number;
}

/**
 * Returns the places of hits in their order. A relevant item counts once, at its first hit. A hit that matches only items
 * that were found before has no place, such as a further row of a document.
 * @param grades Grades of the relevant items by their numbers; those that are left out have none.
 */
const placesOf = (hits: readonly EvaluatedHit[], grades: ReadonlyMap<number, number>): readonly Place[] => {
  const found = new Set<number>();
  return hits.flatMap(({ matches }) => {
    const known = matches.filter((at) => grades.has(at));
    const items = known.filter((at) => !found.has(at));
    if (known.length > 0 && items.length === 0) return [];
    for (const at of items) found.add(at);
    const gains = items.map((at) => grades.get(at) ?? 0).toSorted((a, b) => b - a);
    return [{ grade: gains[0] ?? 0, others: gains.slice(1), relevant: gains.filter((grade) => grade > 0).length }];
  });
};

/** Removes the first of each value from a sorted list. */
const without = (sorted: readonly number[], values: readonly number[]): readonly number[] => {
  const left = [...sorted];
  for (const value of values) {
    const at = left.indexOf(value);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
};

/**
 * Returns the metrics of one question, by the definitions of trec_eval: linear gains, and grades from 1 count as relevant.
 * Null: none of its items is relevant.
 */
export const measure = (
  hits: readonly EvaluatedHit[],
  grades: ReadonlyMap<number, number>,
  k: number,
): Metrics | null => {
  const relevant = [...grades.values()].filter((grade) => grade > 0).toSorted((a, b) => b - a);
  if (relevant.length === 0) return null;
  const places = placesOf(hits, grades);
  const found = places.map(({ grade }) => grade);
  // Items that one row has found together take one place of the best order.
  const ideal = without(
    relevant,
    places.flatMap(({ others }) => others),
  );
  const gain = (list: readonly number[]): number =>
    list.slice(0, ndcgDepth).reduce((sum, grade, at) => sum + grade * discount(at + 1), 0);
  const first = found.findIndex((grade) => grade > 0);
  return {
    ndcg_at_10: gain(found) / gain(ideal),
    recall_at_k: places.slice(0, k).reduce((sum, place) => sum + place.relevant, 0) / relevant.length,
    mrr: first === -1 ? 0 : 1 / (first + 1),
    hit_at_1: first === 0 ? 1 : 0,
  };
};
