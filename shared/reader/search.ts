import { setTimeout as pause } from 'node:timers/promises';
import type { Embedder } from '../platform/models/port.ts';
import { RerankFault, type Rerankers } from '../platform/rerank/port.ts';
import { lazy } from '../kernel/memoize.ts';
import { embeddedText } from '../kernel/row-metadata.ts';
import {
  type Candidates,
  fuseQueries,
  type RankingPlan,
  rankInStages,
  type RerankHits,
  type RerankResult,
  type StagedHit,
} from '../ranking/index.ts';
import {
  type EngineReader,
  type IndexRef,
  openHighlighter,
  type QueryVector,
  type SearchQuery,
  wantedText,
} from '#engine';
import { findContexts } from './context.ts';
import type { ReaderResponses, SearchOperation } from './contracts.ts';

interface SearchDeps {
  readonly engine: EngineReader;
  readonly embedder: () => Embedder;
  readonly rerankers: Rerankers;
}

/** Query of a search: that of the operation, or one of several. */
type Question = Pick<SearchOperation, 'text' | 'vector' | 'fusion'>;

/** Options of a query that stages need. */
type Options = Pick<SearchQuery, 'topK' | 'depth' | 'includeVector' | 'includeText' | 'includeMetadata'>;

/** Returns the query vector: the caller's own, or one that the model computes when the engine requests it. */
const vectorOf = (
  embedder: () => Embedder,
  ref: IndexRef,
  { text, vector }: Question,
  onTokens: (tokens: number) => void,
): QueryVector =>
  vector ??
  (async (): Promise<Float32Array> => {
    const { vectors, tokens } = await embedder().embed([wantedText(text ?? '')], ref.dimensions, 'query');
    const [embedded] = vectors;
    if (embedded === undefined) throw new Error('the model gave no vector');
    onTokens(tokens);
    return embedded;
  });

const toQuery = (
  { mode, exact, filter }: SearchOperation,
  { text, fusion }: Question,
  vector: QueryVector,
  options: Options,
): SearchQuery => {
  const common = { ...options, exact, ...(filter === null ? {} : { filter }) };
  if (mode === 'sparse') return { ...common, mode, text: text ?? '' };
  return mode === 'hybrid'
    ? { ...common, mode, vector, text: text ?? '', fusion }
    : { ...common, mode: 'dense', vector };
};

const optionsOf = (operation: SearchOperation): Options => ({
  topK: operation.top_k,
  includeVector: operation.include_vector,
  includeText: operation.include_text,
  includeMetadata: operation.include_metadata,
});

/** Whether a hybrid search has fused a hit, or it follows the fused ones. */
const isFused =
  (depth: number) =>
  ({ ranks: { dense, sparse } }: StagedHit): boolean =>
    Math.min(dense ?? Number.POSITIVE_INFINITY, sparse ?? Number.POSITIVE_INFINITY) <= depth;

const toCandidates = (hits: readonly StagedHit[], depth: number): Candidates => {
  const fused = hits.filter(isFused(depth));
  const reachesDepth = ({ ranks: { dense, sparse } }: StagedHit): boolean => dense === depth || sparse === depth;
  return { hits: fused, behind: hits.slice(fused.length), isExhausted: !fused.some(reachesDepth) };
};

/** Milliseconds for which a search waits for its reranker: for a start of its function, and for each candidate. */
const [rerankStartMs, rerankHitMs] = [5_000, 60];

/** Calls the reranker of a plan. A failure is a reason to skip it, unless the plan requires it. */
const rerankWith =
  (rerankers: Rerankers, { model, query, isRequired, skipped }: NonNullable<RankingPlan['rerank']>): RerankHits =>
  async (hits) => {
    if (skipped !== null) return skipped;
    // Only rows of files are searched with their headings.
    const texts = hits.map(({ row }) => (row.jobId === null ? (row.text ?? '') : embeddedText(row)));
    if (hits.every(({ row }) => (row.text ?? '') === '')) return 'no_text';
    const ended = new AbortController();
    const late = async (): Promise<never> => {
      await pause(rerankStartMs + rerankHitMs * hits.length, undefined, { signal: ended.signal });
      throw new RerankFault('timeout', 'The reranker did not respond in time');
    };
    try {
      const result: RerankResult = await Promise.race([rerankers(model).score(query, texts, ended.signal), late()]);
      const isWhole = result.scores.length === texts.length && result.scores.every((score) => score >= 0 && score <= 1);
      if (!isWhole) throw new RerankFault('invalid_response', 'The reranker responded without a score for each text');
      return result;
    } catch (error) {
      if (isRequired) throw error;
      return error instanceof RerankFault ? error.reason : 'unavailable';
    } finally {
      ended.abort();
    }
  };

/** Queries of a search in stages, with their weights. */
const questionsOf = (
  operation: SearchOperation,
  { queries }: RankingPlan,
): readonly (Question & { readonly weight: number })[] =>
  queries?.map(({ text, vector, weight, denseWeight }) => ({
    text,
    vector,
    weight,
    fusion: { ...operation.fusion, denseWeight },
  })) ?? [{ ...operation, weight: 1 }];

/** Returns a function that finds candidates at a depth, and what it has used. */
const openCandidates = (
  { engine, embedder }: SearchDeps,
  ref: IndexRef,
  operation: SearchOperation,
  plan: RankingPlan,
) => {
  const { boost, group, rerank, diversity, fuse, isFixed } = plan;
  const used = { tokens: 0, searches: 0 };
  const options = {
    includeVector: operation.include_vector || diversity > 0,
    includeText: operation.include_text || rerank !== null,
    includeMetadata: operation.include_metadata || [boost, group, rerank].some((stage) => stage !== null),
  };
  const questions = questionsOf(operation, plan);
  // A refill searches again with the same vectors.
  const vectors = questions.map((question) => {
    const given = vectorOf(embedder, ref, question, (tokens) => (used.tokens += tokens));
    return typeof given === 'function' ? lazy(given) : given;
  });
  const pageEnd = group === null && !isFixed ? plan.offset + operation.top_k : 0;
  const find = async (depth: number): Promise<Candidates> => {
    used.searches += questions.length;
    // Only a search with one query has rows behind its candidates.
    const topK = questions.length === 1 ? Math.max(depth, pageEnd) : depth;
    const found: Candidates[] = [];
    for (const [at, question] of questions.entries()) {
      const query = toQuery(operation, question, vectors[at] ?? new Float32Array(), { ...options, topK, depth });
      found.push(toCandidates(await engine.search(ref, query), depth));
    }
    const [only] = found;
    if (only !== undefined && found.length === 1) return only;
    const weighted = found.map(({ hits }, at) => ({ hits, weight: questions[at]?.weight ?? 1 }));
    const isExhausted = found.every((one) => one.isExhausted);
    return { hits: fuseQueries(weighted, fuse), behind: [], isExhausted };
  };
  return { find, used };
};

/** Searches in stages. */
const searchInStages = async (
  deps: SearchDeps,
  ref: IndexRef,
  operation: SearchOperation,
  plan: RankingPlan,
): Promise<ReaderResponses['search']> => {
  const { rerank, facets } = plan;
  const { find, used } = openCandidates(deps, ref, operation, plan);
  const rerankHits: RerankHits = async (hits) =>
    rerank === null ? 'unavailable' : rerankWith(deps.rerankers, rerank)(hits);
  const counting = facets.length === 0 ? [] : deps.engine.facets(ref, operation.filter ?? undefined, facets);
  const [ranked, counts] = await Promise.all([rankInStages(find, rerankHits, plan, operation.top_k, ref), counting]);
  const { hits, ...report } = ranked;
  return {
    hits: hits.map(({ row, ...hit }) => ({
      ...hit,
      row: {
        ...row,
        vector: operation.include_vector ? row.vector : null,
        text: operation.include_text ? row.text : null,
        metadata: operation.include_metadata ? row.metadata : {},
      },
    })),
    tokens: used.tokens,
    ranking: { ...report, facets: counts, searches: used.searches },
  };
};

/** Searches an index, with the stages that the operation requests. */
const findHits = async (
  deps: SearchDeps,
  ref: IndexRef,
  operation: SearchOperation,
): Promise<ReaderResponses['search']> => {
  if (operation.ranking !== null) return searchInStages(deps, ref, operation, operation.ranking);
  let tokens = 0;
  const vector = vectorOf(deps.embedder, ref, operation, (used) => (tokens = used));
  const hits = await deps.engine.search(ref, toQuery(operation, operation, vector, optionsOf(operation)));
  return { hits, tokens };
};

/** Searches an index. Adds highlights and the text around the hits if the operation requests them. */
export const search = async (
  deps: SearchDeps,
  ref: IndexRef,
  operation: SearchOperation,
): Promise<ReaderResponses['search']> => {
  const { highlight, context, ranking, text } = operation;
  if (highlight === null && context === null) return findHits(deps, ref, operation);
  const wide = { ...operation, include_text: true, include_metadata: operation.include_metadata || context !== null };
  const found = await findHits(deps, ref, wide);
  const surroundings = context && (await findContexts(deps.engine, ref, found.hits, context, operation.filter));
  const queries = (ranking?.queries ?? [{ text }]).flatMap((query) => query.text ?? []);
  const toHighlights = highlight && openHighlighter(ref, queries);
  return {
    ...found,
    hits: found.hits.map((hit, at) => ({
      ...hit,
      row: {
        ...hit.row,
        text: operation.include_text ? hit.row.text : null,
        metadata: operation.include_metadata ? hit.row.metadata : {},
      },
      ...(toHighlights && {
        highlights: toHighlights(hit.row.text ?? '', { fragments: highlight.fragments, maxChars: highlight.max_chars }),
      }),
      ...(surroundings && { context: surroundings.numbers[at] ?? null }),
    })),
    ...(surroundings && { contexts: surroundings.contexts }),
  };
};
