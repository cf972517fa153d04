import type * as z from 'zod';
import type { IndexRecord } from '../indexes/index.ts';
import type { RerankModel } from '../platform/rerank/rerank-models.ts';
import {
  type BoostInput,
  defaultDepth,
  durationOf,
  millisecondsOf,
  type MinScoreInput,
  type RankingPlan,
  type RerankInput,
  type SearchDefaults,
} from '../ranking/index.ts';
import { chooseFusion } from './choose-fusion.ts';
import type { RankingInput } from './ranking-fields.ts';
import type { SearchPage } from './search-page.ts';

/** What the stages of a search depend on beside its request. */
export interface StageSettings {
  readonly models: readonly RerankModel[];
  readonly nowMs: number;
  /** Further page. Null: the first one. */
  readonly page: SearchPage | null;
}

/** Names of the fields that begin a search in stages. `fuse` alone does nothing. */
const stageFields = [
  'depth',
  'queries',
  'boost',
  'rerank',
  'min_score',
  'group',
  'diversity',
  'offset',
  'cursor',
  'facets',
] as const satisfies readonly (keyof RankingInput)[];

/** A search, as far as its stages depend on it. */
export interface RankedSearch extends RankingInput {
  readonly top_k: number;
  readonly mode: 'dense' | 'sparse' | 'hybrid';
  readonly text?: string | undefined;
  readonly fusion?: SearchDefaults['fusion'];
}

/** Results of a search with text around them. */
export const maxContextHits = 50;

/** Adds the defaults of an index to a search that names nothing else. */
export const withDefaults = <Search extends RankedSearch>(
  search: Search,
  { searchDefaults }: Pick<IndexRecord, 'searchDefaults'>,
): Search => {
  if (searchDefaults === null) return search;
  const { fusion, rerank, boost, group, context } = searchDefaults;
  const { queries, text } = search;
  // A default never makes a search invalid: a reranker needs one question.
  const hasQuestion = queries === undefined && text !== undefined;
  return {
    ...search,
    ...(search.mode !== 'hybrid' || search.fusion !== undefined ? {} : { fusion }),
    ...(search.rerank !== undefined || !hasQuestion ? {} : { rerank }),
    ...(search.boost === undefined ? { boost } : {}),
    ...(search.group === undefined ? { group } : {}),
    // Beyond this many results, a search has no text around them.
    ...(search.context === undefined && search.top_k <= maxContextHits ? { context } : {}),
  };
};

/** Whether a search has stages behind its sides. `withDefaults` has added those of its index. */
export const hasStages = (search: RankingInput): boolean =>
  stageFields.some((name) => search[name] !== undefined && search[name] !== null);

type Condition = z.output<typeof BoostInput>['conditions'][number];

const lengthOf = (length: number | string): number => (typeof length === 'string' ? (durationOf(length) ?? 0) : length);

const toCondition = (
  { filter, key = '', decay, saturate, weight }: Condition,
  nowMs: number,
): NonNullable<RankingPlan['boost']>['conditions'][number] => {
  if (filter !== undefined) return { filter, weight };
  if (decay === undefined) return { key, saturate: { midpoint: saturate?.midpoint ?? 1 }, weight };
  const { origin, scale, offset, curve } = decay;
  const isTime = typeof origin === 'string';
  const at = isTime ? (origin === 'now' ? nowMs : (millisecondsOf(origin) ?? 0)) : origin;
  return {
    key,
    decay: { origin: at, scale: lengthOf(scale), offset: lengthOf(offset ?? 0), curve, isTime },
    weight,
  };
};

/** Returns the score that a number alone limits: that of the reranker if there is one, else that of the only side. */
const toMinScore = (
  minScore: z.output<typeof MinScoreInput>,
  { mode, rerank }: RankedSearch,
): RankingPlan['min_score'] => {
  if (typeof minScore !== 'number')
    return Object.fromEntries(Object.entries(minScore).filter(([, score]) => score !== undefined));
  if (rerank !== undefined && rerank !== null) return { rerank: minScore };
  return mode === 'sparse' ? { sparse: minScore } : { dense: minScore };
};

const toRerank = (
  { model, candidates, blend, query, on_error: onError }: z.output<typeof RerankInput>,
  text: string,
  { models, page }: StageSettings,
): RankingPlan['rerank'] => {
  const known = models.find(({ id }) => model === undefined || id === model);
  if (known === undefined) return null;
  return {
    model: known.id,
    candidates: candidates ?? known.candidates,
    blend: blend ?? known.blend,
    query: query ?? text,
    // Pages that are not reranked alike would repeat hits.
    isRequired: onError === 'fail' || page?.rerank === 'done',
    skipped: page === null || page.rerank === 'done' ? null : page.rerank,
  };
};

/** Returns the stages of a validated search. Null: it has none. */
export const toRankingPlan = (
  search: RankedSearch,
  index: Pick<IndexRecord, 'embeddingModel' | 'textLanguage'>,
  stages: StageSettings,
): RankingPlan | null => {
  if (!hasStages(search)) return null;
  const { boost, rerank, min_score: minScore, group, queries, fuse, fusion } = search;
  const { nowMs, page } = stages;
  return {
    depth: page?.depth ?? search.depth ?? defaultDepth,
    isFixed: page !== null,
    offset: page?.offset ?? search.offset ?? 0,
    queries:
      queries?.map(({ text = null, vector = null, weight }) => ({
        text,
        vector,
        weight,
        denseWeight: chooseFusion(fusion, index, vector === null ? (text ?? '') : null).denseWeight,
      })) ?? null,
    fuse: fuse ?? 'rrf',
    boost:
      boost === undefined || boost === null
        ? null
        : { weight: boost.weight, conditions: boost.conditions.map((condition) => toCondition(condition, nowMs)) },
    rerank: rerank === undefined || rerank === null ? null : toRerank(rerank, search.text ?? '', stages),
    min_score: minScore === undefined ? null : toMinScore(minScore, search),
    group: group ?? null,
    diversity: search.diversity ?? 0,
    facets: search.facets ?? [],
  };
};
