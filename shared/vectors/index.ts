export { filterProblems } from './filter-problems.ts';
export { toSourceFile, toVectorRecord } from './present.ts';
export {
  DeleteBody,
  DeleteResponse,
  FetchBody,
  FetchResponse,
  SourceFile,
  VectorValues,
  UpdateBody,
  UpdateResponse,
  UpsertBody,
  UpsertResponse,
  VectorRecord,
} from './schemas.ts';
export { updateProblems, updateUses, updateVectors } from './update.ts';
export { upsertProblems, upsertUses, upsertVectors } from './upsert.ts';
export { VectorInput, vectorProblems } from './vector-input.ts';
