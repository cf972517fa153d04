/*
 * The engine reports a request to S3 that failed after its own retries in the message of a plain error, in one of two
 * forms. Source: the crate object_store 0.14, `client/retry.rs`.
 */
const exhaustedRetries = [
  /RetryError\(RetryErrorImpl \{[\s\S]*inner: (?:Status \{ status: (?:5\d\d|408|429)\b|Http\()/,
  /Error performing [\s\S]*(?:Server returned non-2xx status code: (?:5\d\d|408|429)\b| - HTTP error:)/,
];

/** Returns whether the engine failed because S3 was throttled, in trouble or not reached. */
export const isPassingStorageError = (error: unknown): boolean =>
  error instanceof Error && exhaustedRetries.some((form) => form.test(error.message));
