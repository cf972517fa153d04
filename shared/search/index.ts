export { DenseSearch, HybridSearch, SearchResponse, SparseSearch } from './schemas.ts';
export { runSearch, searchUses } from './run-search.ts';
