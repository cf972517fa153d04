import { applyBoost } from './boost.ts';
import { applyRerank } from './apply-rerank.ts';
import { diversify } from './diversity.ts';
import { countGroups, groupHits } from './group.ts';
import { reachMinScore } from './min-score.ts';
import { maxDepth, type MinScore, type RankingPlan, type Rerank, type SkipReason } from './plan.ts';
import { following, type StagedHit } from './staged-hit.ts';

/** The stages of a search, in their order. */
export const stageDescriptions = {
  candidates: 'The best rows of each side, fused into one order.',
  refill: 'More candidates, if these have too few groups.',
  boost: 'Scores scaled to 0…1 and mixed with the boost of their rows.',
  rerank: 'Scores of the best candidates by a reranker.',
  min_score: 'Hits below the lowest score are left out.',
  group: 'Hits of one group stand together, and only its best are kept.',
  diversity: 'Maximal marginal relevance: hits that resemble better ones come later.',
  page: 'The requested page of the hits.',
} as const;
export type StageName = keyof typeof stageDescriptions;
export const stageNames = Object.keys(stageDescriptions) as [StageName, ...StageName[]];

/** Numbers of hits, or of groups of hits, that a stage has received and returned. */
export interface StageTrace {
  readonly stage: StageName;
  readonly in: number;
  readonly out: number;
  readonly took_ms: number;
}

/** Candidates of a search. */
export interface Candidates {
  /** Fused hits, best first. */
  readonly hits: readonly StagedHit[];
  /** Hits behind the fused ones, if the page is longer. */
  readonly behind: readonly StagedHit[];
  /** Whether no side has further rows. */
  readonly isExhausted: boolean;
}

/** Result of a reranker. */
export interface RerankResult {
  /** One between 0 and 1 for each text. */
  readonly scores: readonly number[];
  /** Units by which the model is billed. */
  readonly units: number;
}

/** Report of the reranker. */
export interface RerankReport {
  readonly status: 'done' | 'skipped';
  readonly reason: SkipReason | null;
  readonly model: string;
  readonly candidates: number;
  readonly took_ms: number;
  readonly units: number;
}

/** Scores the first hits. Returns the reason if it cannot. */
export type RerankHits = (hits: readonly StagedHit[]) => Promise<RerankResult | SkipReason>;

/** Ranked hits of one page, and what the stages report. */
export interface Ranked {
  readonly hits: readonly StagedHit[];
  /** Whether hits of the candidates follow the page. */
  readonly hasMore: boolean;
  /** Depth at which the candidates were found. */
  readonly depth: number;
  readonly stages: readonly StageTrace[];
  readonly rerank: RerankReport | null;
  /** Null: no lowest score was requested. */
  readonly droppedByMinScore: number | null;
  /** Whether every group that the search can find is among the candidates. Null: no groups were requested. */
  readonly groupsExhausted: boolean | null;
}

/** Rounds in which candidates are widened, each by this factor. */
const [maxRefills, refillFactor] = [3, 3];

const roundMs = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;

/** A stage between two lists. */
type Stage<From, To> = (items: readonly From[]) => readonly To[] | Promise<readonly To[]>;

const openTrace = () => {
  const stages: StageTrace[] = [];
  return {
    stages,
    /** Runs a stage and notes it. */
    run: async <From, To>(stage: StageName, items: readonly From[], work: Stage<From, To>): Promise<readonly To[]> => {
      const startedMs = performance.now();
      const result = await work(items);
      const tookMs = roundMs(performance.now() - startedMs);
      stages.push({ stage, in: items.length, out: result.length, took_ms: tookMs });
      return result;
    },
  };
};

type Run = ReturnType<typeof openTrace>['run'];
type FindCandidates = (depth: number) => Promise<Candidates>;

/** Finds candidates, and more of them until they have enough groups. */
const findGroups = async (
  run: Run,
  find: FindCandidates,
  { depth: firstDepth, isFixed, group }: RankingPlan,
  wanted: number,
): Promise<Candidates & { readonly depth: number }> => {
  let [found, depth]: [Candidates, number] = [{ hits: [], behind: [], isExhausted: true }, firstDepth];
  await run('candidates', [], async () => (found = await find(depth)).hits);
  const needsMore = (): boolean =>
    group !== null && !isFixed && !found.isExhausted && depth < maxDepth && countGroups(found.hits, group.by) < wanted;
  if (needsMore())
    await run('refill', found.hits, async () => {
      for (let round = 0; round < maxRefills && needsMore(); round += 1) {
        depth = Math.min(maxDepth, depth * refillFactor);
        found = await find(depth);
      }
      return found.hits;
    });
  return { ...found, depth };
};

/** Reranks the first hits, or reports why not. */
const rerankFirst = async (
  run: Run,
  hits: readonly StagedHit[],
  rerank: Rerank,
  rerankHits: RerankHits,
): Promise<{ readonly hits: readonly StagedHit[]; readonly report: RerankReport }> => {
  const startedMs = performance.now();
  const first = hits.slice(0, rerank.candidates);
  let result: RerankResult | SkipReason = 'no_candidates';
  const reranked = await run('rerank', hits, async (all) => {
    if (first.length > 0) result = await rerankHits(first);
    return typeof result === 'string' ? all : applyRerank(all, result.scores, rerank);
  });
  // Cast: the compiler does not see the assignment.
  const ended = result as RerankResult | SkipReason;
  const isDone = typeof ended !== 'string';
  const report: RerankReport = {
    status: isDone ? 'done' : 'skipped',
    reason: isDone ? null : ended,
    model: rerank.model,
    candidates: first.length,
    took_ms: roundMs(performance.now() - startedMs),
    units: isDone ? ended.units : 0,
  };
  return { hits: reranked, report };
};

/** Returns the lowest scores that apply. A reranker that was skipped has given none, so its lowest leaves out nothing. */
const appliedMinScore = ({ rerank, ...sides }: MinScore, report: RerankReport | null): MinScore =>
  report?.status === 'done' && rerank !== undefined ? { ...sides, rerank } : sides;

/**
 * Runs the stages of a search.
 * @param find Finds candidates at a depth.
 * @param limit Results of the page: hits, or groups of hits.
 */
export const rankInStages = async (
  find: FindCandidates,
  rerankHits: RerankHits,
  plan: RankingPlan,
  limit: number,
  settings: Parameters<typeof applyBoost>[2],
): Promise<Ranked> => {
  const { boost, rerank, min_score: minScore, group, diversity, offset } = plan;
  const { stages, run } = openTrace();
  const wanted = offset + limit;
  const found = await findGroups(run, find, plan, wanted);
  let { hits } = found;
  if (boost !== null) hits = await run('boost', hits, (all) => applyBoost(all, boost, settings));
  const reranked = rerank === null ? { hits, report: null } : await rerankFirst(run, hits, rerank, rerankHits);
  // Rows behind the candidates have passed no stage that changes scores.
  const isRescored = boost !== null || rerank !== null;
  hits = [...reranked.hits, ...(isRescored ? following(reranked.hits, found.behind) : found.behind)];
  const before = hits.length;
  if (minScore !== null) {
    const lowest = appliedMinScore(minScore, reranked.report);
    hits = await run('min_score', hits, (all) => reachMinScore(all, lowest));
  }
  const dropped = before - hits.length;
  let items: readonly (readonly [StagedHit, ...StagedHit[]])[] = hits.map((hit) => [hit] as const);
  if (group !== null) items = await run('group', hits, (all) => groupHits(all, group));
  if (diversity > 0) items = await run('diversity', items, (all) => diversify(all, diversity, wanted));
  const page = await run('page', items, (all) => all.slice(offset, wanted));
  return {
    hits: page.flat(),
    hasMore: items.length > wanted,
    depth: found.depth,
    stages,
    rerank: reranked.report,
    droppedByMinScore: minScore === null ? null : dropped,
    groupsExhausted: group === null ? null : found.isExhausted,
  };
};
