import type * as z from 'zod';
import type { Clock } from '../kernel/clock.ts';
import { countedBySearch, type IndexRecord, indexesRead } from '../indexes/index.ts';
import { readerInvoke } from '../reader/index.ts';
import { subjectUsageWrite, usageWrite } from '../usage/index.ts';
import { lastRecallWrite } from './last-recall.ts';
import type { RecallBody, RecallResponse } from './recall-schemas.ts';
import type { SearchCall } from './run-search.ts';

/** Capabilities that measuring recall needs. */
export const recallUses = {
  indexes: indexesRead,
  reader: readerInvoke,
  usage: usageWrite,
  subjectUsage: subjectUsageWrite,
  lastRecall: lastRecallWrite,
};

/** Measures the recall of the default dense search of an index against exact search, and stores it. Throws 404. */
export const runRecall = async (
  { deps, prefetched, caller, clock }: SearchCall<typeof recallUses, IndexRecord> & { readonly clock: Clock },
  input: z.output<typeof RecallBody>,
): Promise<z.input<typeof RecallResponse>> => {
  const startedMs = performance.now();
  const index = await prefetched;
  const { filtered, ...measured } = await deps.reader.execute(index, {
    op: 'recall',
    vectors: input.vectors === undefined ? null : [...input.vectors],
    queries: input.queries,
    seed: input.seed,
    top_k: input.top_k,
    filter: input.filter ?? null,
  });
  const response = {
    top_k: input.top_k,
    ...measured,
    // Cast: a filter is JSON, but its type is not.
    filtered: filtered === null ? null : { ...filtered, filter: filtered.filter as unknown as Record<string, never> },
    took_ms: Math.round(performance.now() - startedMs),
  };
  const last = { measured_at: clock.now().toISOString(), seed: input.vectors === undefined ? input.seed : null };
  await Promise.all([
    deps.usage.countSearch(caller.organizationId, index.id, 'dense', 0, measured.searches),
    deps.subjectUsage.add(
      caller.organizationId,
      countedBySearch(caller, index, input.filter, { searches_dense: measured.searches }),
    ),
    deps.lastRecall.save(index, { ...last, ...response }),
  ]);
  return response;
};
