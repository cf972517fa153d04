export { StrataVector, type StrataVectorOptions } from './strata-vector.js';
