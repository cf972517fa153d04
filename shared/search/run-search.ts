import type * as z from 'zod';
import type { Capability, Deps, Uses } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Principal } from '../http/principal.ts';
import type { OnEnd } from '../http/request-end.ts';
import { openCitations, partLengths } from '../files/index.ts';
import { countedBySearch, type IndexRecord, indexesRead, requireModel } from '../indexes/index.ts';
import { embeddingModelsKnown } from '../platform/models/model-names.ts';
import { rerankModelsKnown } from '../platform/rerank/rerank-models.ts';
import { logged, queryLogAppend } from '../query-log/index.ts';
import type { Reader } from '../reader/index.ts';
import { rebuildsRead } from '../rebuilds/index.ts';
import { toSourceFile } from '../vectors/index.ts';
import { embeddingTokens, estimateSearchUsd, subjectUsageWrite, usageWrite } from '../usage/index.ts';
import { embeddedTexts, executeSearch, type Found, type SearchInput } from './execute-search.ts';
import { explain } from './explain.ts';
import type { SearchResponse } from './schemas.ts';
import type { PrefetchedSearch } from './prefetch-search.ts';
import type { StageSettings } from './resolve-ranking.ts';
import { nextCursor, openPage, searchCursors } from './search-cursor.ts';

/** Returns the capabilities that a search needs, with a reader. */
export const searchUses = (reader: Capability<Reader>) => ({
  indexes: indexesRead,
  rebuilds: rebuildsRead,
  reader,
  usage: usageWrite,
  subjectUsage: subjectUsageWrite,
  tokens: embeddingTokens,
  models: embeddingModelsKnown,
  rerankModels: rerankModelsKnown,
  cursors: searchCursors,
  partLengths,
  queryLog: queryLogAppend,
});

/** Request to search an index. */
export interface SearchCall<U extends Uses, Prefetched = PrefetchedSearch> {
  readonly deps: Deps<U>;
  readonly prefetched: Promise<Prefetched>;
  readonly caller: Principal;
  readonly onEnd: OnEnd;
  readonly clock: Clock;
}

const toContext = ({
  jobId,
  filename,
  ids,
  hitIds,
  text,
  pageStart,
  pageEnd,
}: NonNullable<Found['contexts']>[number]): NonNullable<z.input<typeof SearchResponse>['contexts']>[number] => ({
  text,
  ids: [...ids],
  hits: [...hitIds],
  file: { job_id: jobId, filename, page_start: pageStart, page_end: pageEnd },
});

const toResult = async (
  hit: Found['hits'][number],
  index: IndexRecord,
  include: readonly string[],
  cite: ReturnType<typeof openCitations>,
): Promise<z.input<typeof SearchResponse>['results'][number]> => ({
  id: hit.row.id,
  score: hit.score,
  ...(include.includes('text') ? { text: hit.row.text } : {}),
  ...(include.includes('metadata') ? { metadata: hit.row.metadata } : {}),
  ...(include.includes('vector') && hit.row.vector !== null ? { vector: [...hit.row.vector] } : {}),
  file: toSourceFile(hit.row),
  ...(include.includes('scores') ? { ranks: hit.ranks, scores: { ...hit.scores, ...hit.stages } } : {}),
  ...(hit.group === undefined ? {} : { group: hit.group }),
  ...(include.includes('explanation') ? { explanation: explain(hit, index) } : {}),
  ...(hit.highlights === undefined
    ? {}
    : {
        highlights: hit.highlights.map(({ marks, ...highlight }) => ({
          ...highlight,
          marks: marks.map((mark) => [...mark]),
        })),
      }),
  ...(hit.context === undefined ? {} : { context: hit.context }),
  ...(include.includes('citation') ? { citation: await cite(hit.row) } : {}),
});

/** Executes a search. Reserves the tokens of its text first if a model embeds it. Throws 402 and 409. */
const search = async (
  deps: Deps<ReturnType<typeof searchUses>>,
  caller: Principal,
  index: IndexRecord,
  input: SearchInput,
  stages: StageSettings,
): Promise<Found> => {
  const texts = embeddedTexts(input);
  if (texts.length === 0) return executeSearch(deps.reader, index, input, stages);
  requireModel(deps.models, index);
  const settle = await deps.tokens.reserve(caller, texts);
  let used = 0;
  try {
    const found = await executeSearch(deps.reader, index, input, stages);
    used = found.tokens;
    return found;
  } finally {
    await settle(used);
  }
};

/** Returns what the stages of a search report beside its results. */
const toReport = (
  { ranking, tokens }: Found,
  include: readonly string[],
): Omit<z.input<typeof SearchResponse>, 'results' | 'took_ms' | 'next_cursor'> => {
  const [searches, units] = [ranking?.searches ?? 1, ranking?.rerank?.units ?? 0];
  const usage = {
    searches,
    embedding_tokens: tokens,
    rerank_units: units,
    estimated_cost_usd: estimateSearchUsd(searches, tokens, units),
  };
  return {
    ...(ranking === undefined
      ? {}
      : {
          ...(ranking.rerank === null ? {} : { rerank: ranking.rerank }),
          ...(ranking.droppedByMinScore === null ? {} : { dropped_by_min_score: ranking.droppedByMinScore }),
          ...(ranking.groupsExhausted === null ? {} : { groups_exhausted: ranking.groupsExhausted }),
          ...(ranking.facets.length === 0
            ? {}
            : { facets: ranking.facets.map(({ values, ...facet }) => ({ ...facet, values: [...values] })) }),
          ...(include.includes('explanation') ? { stages: [...ranking.stages] } : {}),
        }),
    ...(include.includes('usage') ? { usage } : {}),
  };
};

/** Searches an index, and records what that took. Throws 402, 409, 410 and 422. */
export const runOn = async (
  { deps, caller, onEnd, clock }: Omit<SearchCall<ReturnType<typeof searchUses>>, 'prefetched'>,
  { index, counting, speculative: early }: PrefetchedSearch,
  input: SearchInput,
): Promise<z.input<typeof SearchResponse>> => {
  const page = await openPage(deps.cursors, caller, index, input);
  const stages = { models: deps.rerankModels.all, nowMs: page?.nowMs ?? clock.now().getTime(), page };
  const found = (await early) ?? (await search(deps, caller, index, input, stages));
  const { hits, contexts, tokens, tookMs, ranking } = found;
  // Further pages belong to a search that is logged already.
  const searchId = page === null ? deps.queryLog.begin(index) : null;
  onEnd(async (succeeded) => {
    if (!succeeded) return;
    const { organizationId } = caller;
    const { searches = 1, rerank = null } = ranking ?? {};
    const units = rerank?.units ?? 0;
    const figures = { [`searches_${input.mode}`]: searches, embedding_tokens: tokens, rerank_units: units };
    const counted = deps.subjectUsage.add(organizationId, countedBySearch(caller, index, input.filter, figures));
    deps.usage.recordLatency(organizationId, index.id, input.mode, tookMs);
    if ((await counting) === null)
      await deps.usage.countSearch(organizationId, index.id, input.mode, tokens, searches, units);
    if (searchId !== null) await deps.queryLog.add(index, logged(searchId, caller.subjectId, input, found));
    await counted;
  });
  const next = ranking && { next_cursor: await nextCursor(deps.cursors, caller, index, input, ranking, stages) };
  const cite = openCitations(deps.partLengths, caller.organizationId);
  const results = await Promise.all(hits.map((hit) => toResult(hit, index, input.include, cite)));
  const around = contexts && { contexts: contexts.map(toContext) };
  const logEntry = searchId === null ? {} : { search_id: searchId };
  return { results, ...around, took_ms: tookMs, ...toReport(found, input.include), ...next, ...logEntry };
};

/**
 * Searches an index. A search that the prefetch has not counted is counted at the end of the request: one whose response is
 * not sent is not counted. Throws 402, 404, 409, 410 and 422.
 */
export const runSearch = async (
  { prefetched, ...call }: SearchCall<ReturnType<typeof searchUses>>,
  input: SearchInput,
): Promise<z.input<typeof SearchResponse>> => runOn(call, await prefetched, input);
