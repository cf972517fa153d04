export { answer } from './answer.ts';
export { readerInvoke, requestOf } from './client.ts';
export { type Reader, type ReaderAnswers, ReaderRequest, type SearchOperation, type WireHit } from './contracts.ts';
export { inProcessReader, readingSize, wordReadingSize } from './in-process.ts';
