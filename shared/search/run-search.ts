import type * as z from 'zod';
import type { Capability, Deps, Uses } from '../kernel/capability.ts';
import type { Principal } from '../http/principal.ts';
import type { OnEnd } from '../http/request-end.ts';
import { type IndexRecord, indexesRead, requireModel } from '../indexes/index.ts';
import { embeddingModelsKnown } from '../platform/models/model-names.ts';
import type { Hit } from '#engine';
import type { Reader } from '../reader/index.ts';
import { toSourceFile } from '../vectors/index.ts';
import { embeddingTokens, usageWrite } from '../usage/index.ts';
import { executeSearch, type Found, isEmbedded, type SearchInput } from './execute-search.ts';
import { explain } from './explain.ts';
import type { SearchResponse } from './schemas.ts';
import type { PrefetchedSearch } from './prefetch-search.ts';

/** Returns the capabilities that a search needs, with a reader. */
export const searchUses = (reader: Capability<Reader>) => ({
  indexes: indexesRead,
  reader,
  usage: usageWrite,
  tokens: embeddingTokens,
  models: embeddingModelsKnown,
});

/** Request to search an index. */
export interface SearchCall<U extends Uses, Prefetched = PrefetchedSearch> {
  readonly deps: Deps<U>;
  readonly prefetched: Promise<Prefetched>;
  readonly caller: Principal;
  readonly onEnd: OnEnd;
}

const toResult = (
  hit: Hit,
  index: IndexRecord,
  include: readonly string[],
): z.input<typeof SearchResponse>['results'][number] => ({
  id: hit.row.id,
  score: hit.score,
  ...(include.includes('text') ? { text: hit.row.text } : {}),
  ...(include.includes('metadata') ? { metadata: hit.row.metadata } : {}),
  ...(include.includes('vector') && hit.row.vector !== null ? { vector: [...hit.row.vector] } : {}),
  file: toSourceFile(hit.row),
  ...(include.includes('scores') ? { ranks: hit.ranks, scores: hit.scores } : {}),
  ...(include.includes('explanation') ? { explanation: explain(hit, index) } : {}),
});

/** Executes a search. Reserves the tokens of its text first if a model embeds it. Throws 402 and 409. */
const search = async (
  deps: Deps<ReturnType<typeof searchUses>>,
  caller: Principal,
  index: IndexRecord,
  input: SearchInput,
): Promise<Found> => {
  if (!isEmbedded(input)) return executeSearch(deps.reader, index, input);
  requireModel(deps.models, index);
  const settle = await deps.tokens.reserve(caller, [input.text ?? '']);
  let used = 0;
  try {
    const found = await executeSearch(deps.reader, index, input);
    used = found.tokens;
    return found;
  } finally {
    await settle(used);
  }
};

/**
 * Searches an index. A search that the prefetch has not counted is counted at the end of the request: one whose response is
 * not sent is not counted. Throws 402, 404 and 409.
 */
export const runSearch = async (
  { deps, prefetched, caller, onEnd }: SearchCall<ReturnType<typeof searchUses>>,
  input: SearchInput,
): Promise<z.input<typeof SearchResponse>> => {
  const { index, counting, speculative: early } = await prefetched;
  const { hits, tokens, tookMs } = (await early) ?? (await search(deps, caller, index, input));
  onEnd(async (succeeded) => {
    if (!succeeded) return;
    deps.usage.recordLatency(caller.organizationId, index.id, input.mode, tookMs);
    if ((await counting) === null) await deps.usage.countSearch(caller.organizationId, index.id, input.mode, tokens);
  });
  return { results: hits.map((hit) => toResult(hit, index, input.include)), took_ms: tookMs };
};
