import { DamagedIndex } from '../damaged-index.ts';

/*
 * The engine reports a request to S3 that failed after its own retries in the message of a plain error, in one of two
 * forms. Source: the crate object_store 0.14, `client/retry.rs`.
 */
const exhaustedRetries = [
  /RetryError\(RetryErrorImpl \{[\s\S]*inner: (?:Status \{ status: (?:5\d\d|408|429)\b|Http\()/,
  /Error performing [\s\S]*(?:Server returned non-2xx status code: (?:5\d\d|408|429)\b| - HTTP error:)/,
];

/*
 * Forms of the engine's message if a file of a table is missing, cut or overwritten. Source: the crates lance and lance-io
 * 12.0, tried with damaged tables.
 */
const damages = [
  /\bnot found: /i,
  /\bwas not found\b/,
  /Invalid range \d+\.\.\d+ for object of size/,
  /file size is too small/,
  /No field named/,
  /Found field not in schema/,
];

const isDamage = (error: unknown): boolean =>
  error instanceof Error && !isPassingStorageError(error) && damages.some((form) => form.test(error.message));

/** Runs work on tables. Throws `DamagedIndex` if files of them are missing or damaged, so that no repeat helps. */
export const reportingDamage = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    throw isDamage(error) ? new DamagedIndex('files of a table are missing or damaged', error) : error;
  }
};

/** Returns whether the engine failed because S3 was throttled, in trouble or not reached. */
export const isPassingStorageError = (error: unknown): boolean =>
  error instanceof Error && exhaustedRetries.some((form) => form.test(error.message));
