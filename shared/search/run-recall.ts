import type * as z from 'zod';
import { encodeVector, type IndexRecord, indexesRead } from '../indexes/index.ts';
import { readerInvoke } from '../reader/index.ts';
import { usageWrite } from '../usage/index.ts';
import type { RecallBody, RecallResponse } from './recall-schemas.ts';
import type { SearchCall } from './run-search.ts';

/** Capabilities that measuring recall needs. */
export const recallUses = { indexes: indexesRead, reader: readerInvoke, usage: usageWrite };

/** Measures the recall of the default dense search of an index against exact search. Throws 404. */
export const runRecall = async (
  { deps, prefetched, caller }: SearchCall<typeof recallUses, IndexRecord>,
  input: z.output<typeof RecallBody>,
): Promise<z.input<typeof RecallResponse>> => {
  const startedMs = performance.now();
  const index = await prefetched;
  const { filtered, ...measured } = await deps.reader.execute(index, {
    op: 'recall',
    vectors: input.vectors?.map(encodeVector) ?? null,
    queries: input.queries,
    seed: input.seed,
    top_k: input.top_k,
    filter: input.filter ?? null,
  });
  await deps.usage.countSearch(caller.organizationId, index.id, 'dense', 0, measured.searches);
  return {
    top_k: input.top_k,
    ...measured,
    // Cast: a filter is JSON, but its type is not.
    filtered: filtered === null ? null : { ...filtered, filter: filtered.filter as unknown as Record<string, never> },
    took_ms: Math.round(performance.now() - startedMs),
  };
};
