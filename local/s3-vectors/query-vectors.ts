import { toVector } from './check-vector.ts';
import { analyze } from './text-index.ts';
import { invalid } from './vector-error.ts';
import { compileVectorFilter, type VectorMatcher } from './vector-filter.ts';
import { normOf, type IndexConfiguration, type LoadedIndex, type StoredVector } from './vector-store.ts';

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
  readonly vector: StoredVector;
  readonly distance?: number;
  readonly fused?: number;
  readonly bm25Scores?: readonly { readonly metadataKey: string; readonly score: number }[];
}

interface Ranked {
  readonly key: string;
  /** Lower is better. */
  readonly order: number;
}

const best = (candidates: Iterable<Ranked>, count: number): readonly Ranked[] => {
  const byOrder = (one: Ranked, other: Ranked): number => one.order - other.order || (one.key < other.key ? -1 : 1);
  let kept: Ranked[] = [];
  let worst = Infinity;
  for (const candidate of candidates) {
    if (candidate.order > worst) continue;
    kept.push(candidate);
    if (kept.length < 2 * count + 1_000) continue;
    kept = kept.toSorted(byOrder).slice(0, count);
    worst = kept.at(-1)?.order ?? Infinity;
  }
  return kept.toSorted(byOrder).slice(0, count);
};

const distanceTo = (
  query: Float32Array,
  metric: IndexConfiguration['distanceMetric'],
): ((vector: StoredVector) => number) => {
  const queryNorm = normOf(query);
  return ({ data, norm }) => {
    let [product, squares] = [0, 0];
    for (let at = 0; at < query.length; at += 1) {
      const [one = 0, other = 0] = [query[at], data[at]];
      product += one * other;
      squares += (one - other) * (one - other);
    }
    return Math.fround(metric === 'cosine' ? 1 - product / (queryNorm * norm) : Math.sqrt(squares));
  };
};

const vectorSide = function* (
  { vectors }: LoadedIndex,
  matches: VectorMatcher,
  distance: (vector: StoredVector) => number,
): Generator<Ranked> {
  for (const vector of vectors.values())
    if (matches(vector.metadata)) yield { key: vector.key, order: distance(vector) };
};

type TextScores = readonly { readonly metadataKey: string; readonly scores: ReadonlyMap<string, number> }[];

const scoreTexts = async (
  { texts }: LoadedIndex,
  { textSearch }: IndexConfiguration,
  queries: NonNullable<QueryInput['queryTexts']>,
): Promise<TextScores> =>
  Promise.all(
    queries.map(async ({ text, metadataKey }) => {
      const language = textSearch.find((setting) => setting.metadataKey === metadataKey)?.language;
      return { metadataKey, scores: texts.get(metadataKey)?.score(await analyze(language, text)) ?? new Map() };
    }),
  );

const textSide = function* ({ vectors }: LoadedIndex, matches: VectorMatcher, scores: TextScores): Generator<Ranked> {
  const totals = new Map<string, number>();
  for (const side of scores) for (const [key, score] of side.scores) totals.set(key, (totals.get(key) ?? 0) + score);
  for (const [key, score] of totals) if (matches(vectors.get(key)?.metadata ?? {})) yield { key, order: -score };
};

const fuse = (sides: readonly (readonly Ranked[])[]): readonly Ranked[] => {
  const scores = new Map<string, number>();
  for (const side of sides)
    for (const [at, { key }] of side.entries()) scores.set(key, (scores.get(key) ?? 0) + 1 / (rankConstant + at + 1));
  return [...scores].map(([key, score]) => ({ key, order: -score }));
};

const checkTexts = (queries: NonNullable<QueryInput['queryTexts']>, { textSearch }: IndexConfiguration): void => {
  const keys = queries.map(({ metadataKey }) => metadataKey);
  if (new Set(keys).size < keys.length) throw invalid('queryTexts', 'Each metadataKey must be distinct');
  for (const key of keys)
    if (!textSearch.some(({ metadataKey }) => metadataKey === key))
      throw invalid('queryTexts', `The index has no text search configuration for '${key}'`);
};

/**
 * Returns the best `topK` vectors: by distance, by BM25, or by the fusion of both.
 * @throws VectorError
 */
export const queryVectors = async (
  input: QueryInput,
  load: () => Promise<LoadedIndex>,
  configuration: IndexConfiguration,
): Promise<readonly QueryHit[]> => {
  const { topK, queryVector, queryTexts = [], filter } = input;
  checkTexts(queryTexts, configuration);
  if (queryVector === undefined && queryTexts.length === 0)
    throw invalid('queryVector', 'A query needs a queryVector, queryTexts, or both');
  const numbers = queryVector && toVector(queryVector.float32, configuration);
  if (numbers === null) throw invalid('vector', 'Query vector contains invalid values or is invalid for this index');
  const matches: VectorMatcher =
    filter === undefined || filter === null ? () => true : compileVectorFilter(filter, configuration.nonFilterableKeys);
  const index = await load();
  const scores = await scoreTexts(index, configuration, queryTexts);
  const distance = numbers && distanceTo(numbers, configuration.distanceMetric);
  const isHybrid = distance !== undefined && queryTexts.length > 0;
  const depth = isHybrid ? Math.max(topK, minFusedHits) : topK;
  const sides = [
    ...(distance === undefined ? [] : [best(vectorSide(index, matches, distance), depth)]),
    ...(isHybrid
      ? scores.map((side) => best(textSide(index, matches, [side]), depth))
      : queryTexts.length > 0
        ? [best(textSide(index, matches, scores), depth)]
        : []),
  ];
  const ranked = isHybrid ? best(fuse(sides), topK) : (sides[0] ?? []);
  return ranked.flatMap(({ key, order }) => {
    const vector = index.vectors.get(key);
    if (vector === undefined) return [];
    const bm25Scores = scores.flatMap(({ metadataKey, scores: found }) => {
      const score = found.get(key);
      return score === undefined ? [] : [{ metadataKey, score }];
    });
    return {
      vector,
      ...(distance === undefined ? {} : { distance: distance(vector) }),
      ...(isHybrid ? { fused: -order } : {}),
      ...(bm25Scores.length > 0 ? { bm25Scores } : {}),
    };
  });
};
