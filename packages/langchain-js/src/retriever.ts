import type { Document } from '@langchain/core/documents';
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers';
import type { MetadataFilter, SearchContext, SearchRerank } from 'strata-client';
import { abortable } from './abortable.js';
import type { SearchMode, StrataVectorStore } from './vector-store.js';

export interface StrataRetrieverInput extends BaseRetrieverInput {
  readonly store: StrataVectorStore;
  /** Maximum number of documents; 4 if absent. */
  readonly k?: number;
  readonly filter?: MetadataFilter;
  /** Search by meaning, by words or by both; `hybrid` if absent. */
  readonly mode?: SearchMode;
  /** Reranks the documents by a model of the service; `{}` has its defaults. */
  readonly rerank?: SearchRerank;
  /** Returns the text of the file around each result, such as `{ unit: 'heading' }`. */
  readonly context?: SearchContext;
}

/** Retriever by meaning and words, by meaning, or by words. */
export class StrataRetriever extends BaseRetriever {
  static override lc_name(): string {
    return 'StrataRetriever';
  }

  override lc_namespace = ['strata', 'retrievers'];
  readonly #input: StrataRetrieverInput;

  constructor(input: StrataRetrieverInput) {
    super(input);
    this.#input = input;
    abortable(this);
  }

  override async _getRelevantDocuments(query: string): Promise<Document[]> {
    const { store, k = 4, filter, mode = 'hybrid', rerank, context } = this.#input;
    const found = await store.searchWithScore(query, { k, filter, mode, rerank, context });
    return found.map(([document]) => document);
  }
}
