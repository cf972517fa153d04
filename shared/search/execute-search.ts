import { setImmediate } from 'node:timers/promises';
import type * as z from 'zod';
import type { IndexRecord } from '../indexes/index.ts';
import type { Filter } from '#engine';
import type { Reader, ReaderResponses, SearchOperation } from '../reader/index.ts';
import type { ContextInput } from '../ranking/index.ts';
import { chooseFusion } from './choose-fusion.ts';
import { hasStages, type RankedSearch, type StageSettings, toRankingPlan, withDefaults } from './resolve-ranking.ts';

/** Validated search of a caller. */
export interface SearchInput extends RankedSearch {
  readonly vector?: Float32Array | undefined;
  readonly top_k: number;
  readonly filter?: Filter | undefined;
  readonly include: readonly string[];
  readonly exact: boolean;
}

/** Hits of a search, and its duration in milliseconds. */
export type Found = ReaderResponses['search'] & { readonly tookMs: number };

/** Returns the texts of a search that a model embeds, so that their tokens are counted. */
export const embeddedTexts = ({
  mode,
  text = '',
  vector,
  queries,
}: Pick<SearchInput, 'mode' | 'text' | 'vector' | 'queries'>): readonly string[] => {
  if (mode === 'sparse') return [];
  const questions = queries ?? [{ text, vector }];
  return questions.flatMap((one) => (one.vector === undefined ? [one.text ?? ''] : []));
};

/** Whether a search has stages of its own, or by the defaults of its index. */
export const isRanked = (input: SearchInput, index: IndexRecord): boolean => hasStages(withDefaults(input, index));

/** Settings of a search without stages. */
const noStages: StageSettings = { models: [], nowMs: 0, page: null };

/** Query vector of a search in which each of several queries has its own. */
const noVector = new Float32Array();

const toContext = (context: z.output<typeof ContextInput> | null): SearchOperation['context'] => {
  if (context === null) return null;
  const { unit, before, after, max_chars } = context;
  const usual = unit === 'chunk' ? 1 : 0;
  return { unit, before: before ?? usual, after: after ?? usual, max_chars };
};

const toOperation = (input: SearchInput, index: IndexRecord, stages: StageSettings): SearchOperation => ({
  op: 'search',
  mode: input.mode,
  text: input.text ?? null,
  vector: input.queries === undefined ? (input.vector ?? null) : noVector,
  top_k: input.top_k,
  filter: input.filter ?? null,
  exact: input.exact,
  include_vector: input.include.includes('vector'),
  include_text: input.include.includes('text'),
  // Explanations and citations contain the place of the chunk, which is partly stored in metadata.
  include_metadata: ['metadata', 'explanation', 'citation'].some((part) => input.include.includes(part)),
  fusion: chooseFusion(input.fusion, index, input.vector === undefined ? (input.text ?? '') : null),
  ranking: toRankingPlan(input, index, stages),
  highlight: input.highlight ?? null,
  context: toContext(input.context ?? null),
});

/** Executes a search on an index at the version of its record. Throws as `Reader.execute`. */
export const executeSearch = async (
  reader: Reader,
  index: IndexRecord,
  input: SearchInput,
  stages: StageSettings = noStages,
): Promise<Found> => {
  // The search may block this thread, so requests that have begun are sent first.
  await setImmediate();
  const startedMs = performance.now();
  const operation = toOperation(withDefaults(input, index), index, stages);
  const response = await reader.execute(index, operation, { version: stages.page?.version });
  return { ...response, tookMs: Math.round((performance.now() - startedMs) * 10) / 10 };
};
