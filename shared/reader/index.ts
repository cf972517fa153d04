export { answer } from './answer.ts';
export { readerInvoke } from './client.ts';
export { type Reader, type ReaderAnswers, ReaderRequest, type SearchOperation, type WireHit } from './contracts.ts';
export { readerInProcess, readingSize } from './in-process-with-model.ts';
export { wordReaderInProcess, wordReadingSize } from './in-process.ts';
