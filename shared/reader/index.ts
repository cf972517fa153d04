export {
  type Comparison,
  type Latencies,
  type Reader,
  type ReaderAnswers,
  ReaderRequest,
  readerInvoke,
  type RecallMeasured,
  type RecallOperation,
  type SearchOperation,
  type WireHit,
} from './client.ts';
