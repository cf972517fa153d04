export { conditionProblems, filterProblems, hiddenKeyProblems } from './filter-problems.ts';
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
  UpdateWhereBody,
  UpdateWhereResponse,
  UpsertBody,
  UpsertResponse,
  VectorRecord,
} from './schemas.ts';
export {
  CountBody,
  CountResponse,
  DescribeBody,
  DescribeResponse,
  readValuesCursor,
  ValuesBody,
  ValuesResponse,
} from './summary-schemas.ts';
export { summaryWeight } from './summary-weight.ts';
export { updateProblems, updateUses, updateVectors } from './update.ts';
export { upsertProblems, upsertUses, upsertVectors } from './upsert.ts';
export { VectorInput, vectorProblems } from './vector-input.ts';
