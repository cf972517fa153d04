export { StrataVector, type StrataQueryParams, type StrataVectorOptions } from './strata-vector.js';
