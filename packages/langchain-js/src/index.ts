export { StrataRetriever, type StrataRetrieverInput } from './retriever.js';
export { type SearchMode, StrataVectorStore, type StrataVectorStoreOptions } from './vector-store.js';
