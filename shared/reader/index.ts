export { handleReaderRequest } from './handle-request.ts';
export { readerInvoke, toReaderRequest } from './client.ts';
export { readTime } from './read-time.ts';
export { type Reader, type ReaderResponses, ReaderRequest, type SearchOperation, type WireHit } from './contracts.ts';
export { inProcessReader, readerSize } from './in-process.ts';
