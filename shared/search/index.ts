export { chooseFusion } from './choose-fusion.ts';
export { RecallBody, RecallResponse } from './recall-schemas.ts';
export { DenseSearch, HybridSearch, SearchResponse, SparseSearch } from './schemas.ts';
export { recallUses, runRecall } from './run-recall.ts';
export { runSearch, searchUses } from './run-search.ts';
export { recallWeight, searchWeight } from './search-weight.ts';
export { prefetchSearch } from './prefetch-search.ts';
export { recallProblems, searchProblems } from './search-problems.ts';
