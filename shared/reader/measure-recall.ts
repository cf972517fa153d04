import type { Filter, EngineReader, Hit, IndexRef } from '#engine';
import type { Comparison, Latencies, RecallMeasurement, RecallOperation } from './contracts.ts';
import { pickFilter } from './pick-filter.ts';

/** Milliseconds after which no further query begins. */
const budgetMs = 12_000;
/** Rows whose metadata is sampled for a filter. */
const sampledForFilter = 200;
/** Two ways to compute a score differ by rounding. */
const tolerance = 1e-5;

interface Query {
  readonly vector: Float32Array;
  /** Id of the row with this vector, which is excluded from its hits; null for a vector of the caller. */
  readonly ownId: string | null;
}

interface Timed {
  readonly hits: readonly Hit[];
  readonly ms: number;
}

/** Result of one query in both searches. */
interface Pair {
  /** Null if there is nothing to find. */
  readonly recall: number | null;
  readonly defaultMs: number;
  readonly exactMs: number;
}

// A row as near as the last exact hit is an equally good hit, even if the limit kept another.
const recallOf = (found: readonly Hit[], exact: readonly Hit[]): number | null => {
  const last = exact.at(-1);
  if (last === undefined) return null;
  const ids = new Set(exact.map(({ row }) => row.id));
  const minScore = last.score - tolerance * Math.max(1, Math.abs(last.score));
  const good = found.filter(({ row, score }) => ids.has(row.id) || score >= minScore);
  return Math.min(1, good.length / exact.length);
};

const compareSearches = async (
  engine: EngineReader,
  ref: IndexRef,
  { vector, ownId }: Query,
  topK: number,
  filter: Filter | undefined,
): Promise<Pair> => {
  const search = async (exact: boolean): Promise<Timed> => {
    const startedMs = performance.now();
    const hits = await engine.search(ref, {
      mode: 'dense',
      vector,
      topK: topK + (ownId === null ? 0 : 1),
      exact,
      ...(filter === undefined ? {} : { filter }),
    });
    const ms = performance.now() - startedMs;
    return { hits: hits.filter(({ row }) => row.id !== ownId).slice(0, topK), ms };
  };
  // Sequential, since parallel searches would slow each other down.
  const found = await search(false);
  const exact = await search(true);
  return { recall: recallOf(found.hits, exact.hits), defaultMs: found.ms, exactMs: exact.ms };
};

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

const latenciesOf = (times: readonly number[]): Latencies => {
  const sorted = times.toSorted((left, right) => left - right);
  const rounded = (ms: number): number => Math.round(ms * 100) / 100;
  return { p50_ms: rounded(quantile(sorted, 0.5)), p95_ms: rounded(quantile(sorted, 0.95)) };
};

const compare = (pairs: readonly Pair[]): Comparison => {
  const recalls = pairs.flatMap(({ recall }) => recall ?? []);
  const some = recalls.length > 0;
  return {
    queries: pairs.length,
    recall: some ? recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length : null,
    lowest: some ? Math.min(...recalls) : null,
    default_search: latenciesOf(pairs.map(({ defaultMs }) => defaultMs)),
    exact_search: latenciesOf(pairs.map(({ exactMs }) => exactMs)),
  };
};

/**
 * Compares the default dense search with the exact one, without and with a filter. No query begins after 12 seconds, so
 * a large index is measured with fewer queries than requested.
 */
export const measureRecall = async (
  engine: EngineReader,
  ref: IndexRef,
  operation: RecallOperation,
): Promise<RecallMeasurement> => {
  const startedMs = performance.now();
  const { queries: wanted, seed, top_k: topK } = operation;
  const needed = operation.filter === null ? Math.max(wanted, sampledForFilter) : wanted;
  const [total, sample] = await Promise.all([engine.count(ref), engine.sample(ref, needed, seed)]);
  const queries: readonly Query[] =
    operation.vectors?.map((vector) => ({ vector, ownId: null })) ??
    sample.slice(0, wanted).flatMap(({ id, vector }) => (vector === null ? [] : [{ vector, ownId: id }]));
  const narrowed =
    operation.filter === null
      ? await pickFilter(engine, ref, sample, total)
      : { filter: operation.filter, matches: await engine.count(ref, operation.filter) };
  const [unfiltered, filtered]: [Pair[], Pair[]] = [[], []];
  for (const query of queries) {
    if (unfiltered.length > 0 && performance.now() - startedMs > budgetMs) break;
    unfiltered.push(await compareSearches(engine, ref, query, topK, undefined));
    if (narrowed !== null) filtered.push(await compareSearches(engine, ref, query, topK, narrowed.filter));
  }
  return {
    vectors: total,
    unfiltered: compare(unfiltered),
    filtered: narrowed === null ? null : { ...narrowed, ...compare(filtered) },
    searches: 2 * (unfiltered.length + filtered.length),
  };
};
