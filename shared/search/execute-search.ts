import { setImmediate } from 'node:timers/promises';
import type { IndexRecord } from '../indexes/index.ts';
import type { Filter } from '#engine';
import type { Reader, ReaderResponses, SearchOperation } from '../reader/index.ts';
import { chooseFusion, type FusionChoice } from './choose-fusion.ts';

/** Validated search of a caller. */
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

/** Hits of a search, and its duration in milliseconds. */
export type Found = ReaderResponses['search'] & { readonly tookMs: number };

/** Whether a model embeds the text of a search, so that its tokens are counted. */
export const isEmbedded = ({ mode, vector }: Pick<SearchInput, 'mode' | 'vector'>): boolean =>
  mode !== 'sparse' && vector === undefined;

/** Placeholder for searches that fuse nothing. */
const noFusion: FusionChoice = { method: 'weighted', k: 10 };

const toOperation = (input: SearchInput, index: IndexRecord): SearchOperation => ({
  op: 'search',
  mode: input.mode,
  text: input.text ?? null,
  vector: input.vector ?? null,
  top_k: input.top_k,
  filter: input.filter ?? null,
  exact: input.exact,
  include_vector: input.include.includes('vector'),
  include_text: input.include.includes('text'),
  // An explanation contains the position of the chunk, which is stored in metadata.
  include_metadata: input.include.some((part) => part === 'metadata' || part === 'explanation'),
  fusion: chooseFusion(input.fusion ?? noFusion, index, input.vector === undefined ? (input.text ?? '') : null),
});

/** Executes a search on an index at the version of its record. Throws as `Reader.execute`. */
export const executeSearch = async (reader: Reader, index: IndexRecord, input: SearchInput): Promise<Found> => {
  // The search may block this thread, so requests that have begun are sent first.
  await setImmediate();
  const startedMs = performance.now();
  const response = await reader.execute(index, toOperation(input, index));
  return { ...response, tookMs: Math.round((performance.now() - startedMs) * 10) / 10 };
};
