export { defaultDepth, RankingPlan, skipReasons } from './plan.ts';
export { applyRerank } from './apply-rerank.ts';
export { fuseQueries } from './fuse-queries.ts';
export { millisecondsOf } from './boost.ts';
export {
  rankInStages,
  type Candidates,
  type Ranked,
  type RerankHits,
  type RerankResult,
  stageDescriptions,
  stageNames,
} from './stages.ts';
export type { StagedHit } from './staged-hit.ts';
export {
  BoostInput,
  ContextInput,
  durationOf,
  FacetInput,
  FusionInput,
  GroupInput,
  HighlightInput,
  MinScoreInput,
  RerankInput,
  SearchDefaults,
} from './request-schemas.ts';
