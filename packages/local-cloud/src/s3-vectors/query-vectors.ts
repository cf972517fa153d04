import type { JsonObject } from '../../../../shared/kernel/json.ts';
import { toVector } from './check-vector.ts';
import { analyze } from './text-index.ts';
import { invalid } from './vector-error.ts';
import { compileVectorFilter } from './vector-filter.ts';
import {
  configurationOf,
  type IndexConfiguration,
  type IndexRow,
  numbersOf,
  type VectorRow,
  type VectorStore,
} from './vector-store.ts';

/** Rank constant of the reciprocal rank fusion. */
const rankConstant = 60;
/** Hits of each side that are fused. */
const minFusedHits = 100;

export interface QueryInput {
  readonly topK: number;
  readonly queryVector?: { readonly float32: readonly number[] };
  readonly queryTexts?: readonly { readonly text: string; readonly metadataKey: string }[];
  readonly filter?: unknown;
}

/** Found vector with what orders it. */
export interface QueryHit {
  readonly row: VectorRow;
  readonly distance?: number;
  readonly fused?: number;
  readonly bm25Scores?: readonly { readonly metadataKey: string; readonly score: number }[];
}

interface Ranked {
  readonly place: number;
  /** Lower is better. */
  readonly order: number;
}

const byOrder = (one: Ranked, other: Ranked): number => one.order - other.order || one.place - other.place;

/** Collects the best `count` candidates that are wanted. Whether one is wanted is asked late, since it reads its row. */
const collectBest = (count: number, isWanted: (candidate: Ranked) => boolean) => {
  let kept: Ranked[] = [];
  let worst = Infinity;
  const reduce = (): readonly Ranked[] => {
    kept = kept.toSorted(byOrder).slice(0, count);
    if (kept.length === count) worst = kept.at(-1)?.order ?? Infinity;
    return kept;
  };
  return {
    add: (candidate: Ranked): void => {
      if (candidate.order > worst || !isWanted(candidate)) return;
      kept.push(candidate);
      if (kept.length >= 2 * count + 1_000) reduce();
    },
    best: reduce,
  };
};

/** Source of the vectors of one index. */
type Rows = Pick<VectorStore, 'at' | 'scan' | 'text'>;

const distanceTo = (
  query: Float32Array,
  metric: IndexConfiguration['distanceMetric'],
): ((data: Float32Array) => number) => {
  const queryNorm = Math.sqrt(query.reduce((sum, value) => sum + value * value, 0));
  return (data) => {
    let [product, squares, differences] = [0, 0, 0];
    for (let at = 0; at < query.length; at += 1) {
      const [one = 0, other = 0] = [query[at], data[at]];
      product += one * other;
      squares += other * other;
      differences += (one - other) * (one - other);
    }
    return Math.fround(metric === 'cosine' ? 1 - product / (queryNorm * Math.sqrt(squares)) : Math.sqrt(differences));
  };
};

type IsWanted = (candidate: Ranked) => boolean;

const searchVectors = async (
  rows: Rows,
  index: IndexRow,
  distance: (data: Float32Array) => number,
  depth: number,
  isWanted: IsWanted,
): Promise<readonly Ranked[]> => {
  const side = collectBest(depth, isWanted);
  for await (const page of rows.scan(index))
    for (const { place, data } of page) side.add({ place, order: distance(numbersOf(data)) });
  return side.best();
};

type TextScores = readonly { readonly metadataKey: string; readonly scores: ReadonlyMap<number, number> }[];

const scoreTexts = async (
  rows: Rows,
  index: IndexRow,
  queries: NonNullable<QueryInput['queryTexts']>,
): Promise<TextScores> =>
  Promise.all(
    queries.map(async ({ text, metadataKey }) => {
      const { language } =
        configurationOf(index).textSearch.find((setting) => setting.metadataKey === metadataKey) ?? {};
      return { metadataKey, scores: rows.text(index, metadataKey).search(await analyze(language, text)) };
    }),
  );

const searchTexts = (scores: TextScores, depth: number, isWanted: IsWanted): readonly Ranked[] => {
  const totals = new Map<number, number>();
  for (const side of scores)
    for (const [place, score] of side.scores) totals.set(place, (totals.get(place) ?? 0) + score);
  const side = collectBest(depth, isWanted);
  for (const [place, score] of totals) side.add({ place, order: -score });
  return side.best();
};

const fuse = (sides: readonly (readonly Ranked[])[], count: number): readonly Ranked[] => {
  const scores = new Map<number, number>();
  for (const side of sides)
    for (const [at, { place }] of side.entries())
      scores.set(place, (scores.get(place) ?? 0) + 1 / (rankConstant + at + 1));
  return [...scores]
    .map(([place, score]) => ({ place, order: -score }))
    .toSorted(byOrder)
    .slice(0, count);
};

const checkTexts = (queries: NonNullable<QueryInput['queryTexts']>, { textSearch }: IndexConfiguration): void => {
  const keys = queries.map(({ metadataKey }) => metadataKey);
  if (new Set(keys).size < keys.length) throw invalid('queryTexts', 'Each metadataKey must be distinct');
  for (const key of keys)
    if (!textSearch.some(({ metadataKey }) => metadataKey === key))
      throw invalid('queryTexts', `The index has no text search configuration for '${key}'`);
};

const isMatch = (rows: Rows, index: IndexRow, filter: unknown): IsWanted => {
  if (filter === undefined || filter === null) return () => true;
  const matches = compileVectorFilter(filter, configurationOf(index).nonFilterableKeys);
  return ({ place }) => rows.at(index, place).some(({ metadata }) => matches(JSON.parse(metadata) as JsonObject));
};

/**
 * Returns the best `topK` vectors: by distance, by BM25, or by the fusion of both.
 * @throws VectorError
 */
export const queryVectors = async (input: QueryInput, rows: Rows, index: IndexRow): Promise<readonly QueryHit[]> => {
  const { topK, queryVector, queryTexts = [], filter } = input;
  const configuration = configurationOf(index);
  checkTexts(queryTexts, configuration);
  if (queryVector === undefined && queryTexts.length === 0)
    throw invalid('queryVector', 'A query needs a queryVector, queryTexts, or both');
  const numbers = queryVector && toVector(queryVector.float32, configuration);
  if (numbers === null) throw invalid('vector', 'Query vector contains invalid values or is invalid for this index');
  const isWanted = isMatch(rows, index, filter);
  const scores = await scoreTexts(rows, index, queryTexts);
  const distance = numbers && distanceTo(numbers, configuration.distanceMetric);
  const isHybrid = distance !== undefined && queryTexts.length > 0;
  const depth = isHybrid ? Math.max(topK, minFusedHits) : topK;
  const sides = [
    ...(distance === undefined ? [] : [await searchVectors(rows, index, distance, depth, isWanted)]),
    ...(isHybrid
      ? scores.map((side) => searchTexts([side], depth, isWanted))
      : queryTexts.length > 0
        ? [searchTexts(scores, depth, isWanted)]
        : []),
  ];
  const ranked = isHybrid ? fuse(sides, topK) : (sides[0] ?? []);
  return ranked.flatMap(({ place, order }) => {
    const bm25Scores = scores.flatMap(({ metadataKey, scores: found }) => {
      const score = found.get(place);
      return score === undefined ? [] : [{ metadataKey, score }];
    });
    return rows.at(index, place).map((row) => ({
      row,
      ...(distance === undefined ? {} : { distance: distance(numbersOf(row.data)) }),
      ...(isHybrid ? { fused: -order } : {}),
      ...(bm25Scores.length > 0 ? { bm25Scores } : {}),
    }));
  });
};
