import assert from 'node:assert/strict';
import { defaultReadMs } from '../../../../shared/kernel/config.ts';
import type { Reranker } from '../../../../shared/platform/rerank/port.ts';
import type { RankingPlan } from '../../../../shared/ranking/index.ts';
import { handleReaderRequest, type ReaderResponses, type SearchOperation } from '../../../../shared/reader/index.ts';
import type { EngineReader, IndexRef } from '../../src/port.ts';

/** An index that searches read. */
export interface Place {
  readonly reader: EngineReader;
  readonly ref: IndexRef;
}

const noReranker: Reranker = { score: () => Promise.reject(new Error('not used')) };

/** Searches an index as the reader of the service does. */
export const searchAt = async (
  { reader, ref }: Place,
  operation: Partial<SearchOperation> & Pick<SearchOperation, 'mode'>,
  reranker: Reranker = noReranker,
): Promise<ReaderResponses['search']> => {
  const deps = {
    engines: () => reader,
    embedders: () => assert.fail('no text is embedded'),
    rerankers: () => reranker,
    readMs: defaultReadMs,
  };
  const whole: SearchOperation = {
    op: 'search',
    highlight: null,
    context: null,
    text: null,
    vector: null,
    top_k: 10,
    filter: null,
    exact: false,
    include_vector: false,
    include_text: false,
    include_metadata: false,
    fusion: { method: 'weighted', k: 10, denseWeight: 0.5 },
    ranking: null,
    ...operation,
  };
  const request = {
    organization_id: 'org',
    model: 'none',
    ref: { engine: 'lance' as const, textLanguage: 'english' as const, ...ref, layers: [...ref.layers] as never },
    operation: whole,
    within: null,
  };
  // Cast: the response to a search is that of a search.
  return (await handleReaderRequest(deps, request)) as ReaderResponses['search'];
};

/** Returns a plan with the defaults of all other stages. */
export const planOf = (more: Partial<RankingPlan>): RankingPlan => ({
  depth: 100,
  isFixed: false,
  offset: 0,
  queries: null,
  fuse: 'rrf',
  boost: null,
  rerank: null,
  min_score: null,
  group: null,
  diversity: 0,
  facets: [],
  ...more,
});
