import { setImmediate } from 'node:timers/promises';
import { encodeVector, type IndexRecord } from '../indexes/index.ts';
import type { Filter } from '../platform/engine/filter.ts';
import type { Reader, ReaderResponses, SearchOperation } from '../reader/index.ts';
import { chooseFusion, type FusionChoice } from './choose-fusion.ts';

/** What a caller searches for. */
export interface SearchInput {
  readonly mode: SearchOperation['mode'];
  readonly text?: string | undefined;
  readonly vector?: Float32Array | undefined;
  readonly top_k: number;
  readonly filter?: Filter | undefined;
  readonly include: readonly string[];
  readonly exact: boolean;
  readonly fusion?: FusionChoice;
}

/** What the reader has found, and how long it took. */
export type Found = ReaderResponses['search'] & { readonly tookMs: number };

/** Whether a model reads the text of a search, which is then counted with its tokens. */
export const isEmbedded = ({ mode, vector }: Pick<SearchInput, 'mode' | 'vector'>): boolean =>
  mode !== 'sparse' && vector === undefined;

/** Stands in where nothing is fused. */
const noFusion: FusionChoice = { method: 'rrf', k: 10 };

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

/** Searches an index as its record shows it. Throws as the reader does. */
export const askReader = async (reader: Reader, index: IndexRecord, input: SearchInput): Promise<Found> => {
  // The search may keep this thread busy: requests that have begun are to be on their way first.
  await setImmediate();
  const startedMs = performance.now();
  const answer = await reader.execute(index, toOperation(input, index));
  return { ...answer, tookMs: Math.round((performance.now() - startedMs) * 10) / 10 };
};
