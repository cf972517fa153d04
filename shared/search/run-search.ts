import { setImmediate } from 'node:timers/promises';
import type * as z from 'zod';
import type { Capability, Deps, Uses } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Answer } from '../http/endpoint.ts';
import type { Principal } from '../http/principal.ts';
import { decodeVector, encodeVector, type IndexRecord, indexesRead, requireModel } from '../indexes/index.ts';
import type { Filter } from '../platform/engine/filter.ts';
import { embeddingModelsKnown } from '../platform/models/model-names.ts';
import type { Reader, SearchOperation, WireHit } from '../reader/index.ts';
import { toSourceFile } from '../vectors/index.ts';
import { usageWrite } from '../usage/index.ts';
import { chooseFusion, type FusionChoice } from './choose-fusion.ts';
import { explain } from './explain.ts';
import type { SearchResponse } from './schemas.ts';
import { isEmbedded, type SearchBegun } from './search-ahead.ts';

/** What a search may touch, with what reads the index. */
export const searchUses = (reader: Capability<Reader>) => ({
  indexes: indexesRead,
  reader,
  usage: usageWrite,
  models: embeddingModelsKnown,
});

/** What a request to search an index is made with. */
export interface SearchCall<U extends Uses, Ahead = SearchBegun> {
  readonly deps: Deps<U>;
  readonly ahead: Promise<Ahead>;
  readonly caller: Principal;
  readonly clock: Clock;
}

interface SearchInput {
  readonly mode: SearchOperation['mode'];
  readonly text?: string | undefined;
  readonly vector?: Float32Array | undefined;
  readonly top_k: number;
  readonly filter?: Filter | undefined;
  readonly include: readonly string[];
  readonly exact: boolean;
  readonly fusion?: FusionChoice;
}

/** Stands in where nothing is fused. */
const noFusion: FusionChoice = { method: 'rrf', k: 10 };

const toResult = (
  hit: WireHit,
  index: IndexRecord,
  include: readonly string[],
): z.input<typeof SearchResponse>['results'][number] => ({
  id: hit.row.id,
  score: hit.score,
  ...(include.includes('text') ? { text: hit.row.text } : {}),
  ...(include.includes('metadata') ? { metadata: hit.row.metadata } : {}),
  ...(include.includes('vector') && hit.row.vector !== null ? { vector: [...decodeVector(hit.row.vector)] } : {}),
  file: toSourceFile(hit.row),
  ...(include.includes('scores') ? { ranks: hit.ranks, scores: hit.scores } : {}),
  ...(include.includes('explanation') ? { explanation: explain(hit, index) } : {}),
});

const toOperation = (input: SearchInput, index: IndexRecord): SearchOperation => ({
  op: 'search',
  mode: input.mode,
  text: input.text ?? null,
  vector: input.vector === undefined ? null : encodeVector(input.vector),
  top_k: input.top_k,
  filter: input.filter ?? null,
  exact: input.exact,
  include_vector: input.include.includes('vector'),
  include_text: input.include.includes('text'),
  // An explanation tells the chunk, whose place is metadata.
  include_metadata: input.include.some((part) => part === 'metadata' || part === 'explanation'),
  fusion: chooseFusion(input.fusion ?? noFusion, index, input.vector !== undefined),
});

/** Searches an index. What a model reads is counted once it is answered. Throws 404 and 409. */
export const runSearch = async (
  { deps, ahead, caller, clock }: SearchCall<ReturnType<typeof searchUses>>,
  input: SearchInput,
): Promise<Answer<z.input<typeof SearchResponse>>> => {
  const startedMs = clock.now().getTime();
  const { index, counting } = await ahead;
  if (isEmbedded(input.mode, input)) requireModel(deps.models, index);
  // The search may keep this thread busy: the request that counts has to be on its way first.
  await setImmediate();
  const { hits, tokens } = await deps.reader.ask(index, toOperation(input, index));
  return {
    body: {
      results: hits.map((hit) => toResult(hit, index, input.include)),
      took_ms: clock.now().getTime() - startedMs,
    },
    // One that nobody gets is not counted.
    settle: async () => {
      if ((await counting) === null) await deps.usage.countSearch(caller.organizationId, index.id, input.mode, tokens);
    },
  };
};
