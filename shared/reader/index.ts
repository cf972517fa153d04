export {
  type Reader,
  type ReaderAnswers,
  ReaderRequest,
  readerInvoke,
  type SearchOperation,
  type WireHit,
} from './client.ts';
