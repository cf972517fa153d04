import * as z from 'zod';
import { decodeVector } from '../kernel/base64.ts';
import { FilterSchema } from '#engine';

/** Why a reranker was not used. */
export const skipReasons = ['unavailable', 'timeout', 'invalid_response', 'no_text', 'no_candidates'] as const;
export type SkipReason = (typeof skipReasons)[number];

/** Candidates of each side if a request names no depth, and at most. */
export const [defaultDepth, maxDepth] = [100, 1_000];

const share = z.number().min(0).max(1);
const weight = z.number().min(-100).max(100);

/** Condition of a boost, whose value is between 0 and 1. */
const BoostCondition = z.union([
  z.strictObject({ filter: FilterSchema, weight }),
  z.strictObject({
    key: z.string(),
    /** A number, or milliseconds since 1970. */
    decay: z.strictObject({
      origin: z.number(),
      scale: z.number(),
      offset: z.number(),
      curve: z.enum(['exp', 'gauss', 'linear']),
      isTime: z.boolean(),
    }),
    weight,
  }),
  z.strictObject({ key: z.string(), saturate: z.strictObject({ midpoint: z.number() }), weight }),
]);
export type BoostCondition = z.infer<typeof BoostCondition>;

export const Boost = z.strictObject({ weight: share, conditions: z.array(BoostCondition) });
export type Boost = z.infer<typeof Boost>;

export const Rerank = z.strictObject({
  model: z.string(),
  candidates: z.number().int(),
  blend: share,
  query: z.string(),
  /** Whether a failure fails the search. */
  isRequired: z.boolean(),
  /** Why an earlier page was not reranked, so that this one is not either. */
  skipped: z.enum(skipReasons).nullable().default(null),
});
export type Rerank = z.infer<typeof Rerank>;

/** Lowest score of a side or of the reranker. */
export const MinScore = z.strictObject({
  dense: z.number().optional(),
  sparse: z.number().optional(),
  rerank: z.number().optional(),
});
export type MinScore = z.infer<typeof MinScore>;

export const Group = z.strictObject({ by: z.string(), size: z.number().int() });
export type Group = z.infer<typeof Group>;

const Question = z.strictObject({
  text: z.string().nullable(),
  vector: z.string().transform(decodeVector).nullable(),
  weight: z.number(),
  denseWeight: z.number(),
});

/** Stages of a search behind its sides, with all defaults filled in. Vectors are base64 on the wire. */
export const RankingPlan = z.strictObject({
  /** Candidates of each side. */
  depth: z.number().int(),
  /** Whether an earlier page has found the candidates: they are not widened, and no rows follow them. */
  isFixed: z.boolean().default(false),
  /** Results before the page: hits, or groups of hits. */
  offset: z.number().int(),
  /** Several queries in place of that of the operation; null: one. */
  queries: z.array(Question).nullable(),
  fuse: z.enum(['rrf', 'max']),
  boost: Boost.nullable(),
  rerank: Rerank.nullable(),
  min_score: MinScore.nullable(),
  group: Group.nullable(),
  diversity: share,
  facets: z.array(z.strictObject({ key: z.string(), limit: z.number().int() })),
});
export type RankingPlan = z.infer<typeof RankingPlan>;
