export { AsOf, AsOfText, indexAsOf, versionAsOf } from './as-of.ts';
export { handleReaderRequest } from './handle-request.ts';
export { readerInvoke, toReaderRequest } from './client.ts';
export { encodeResponse } from './wire.ts';
export { readTime } from './read-time.ts';
export { type Reader, type ReaderResponses, ReaderRequest, type SearchOperation } from './contracts.ts';
export { inProcessReader, readerSize } from './in-process.ts';
