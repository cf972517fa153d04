import { randomBytes } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import { ValidationFailure, type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import { derivedId, type IdPrefix, newId } from '../kernel/ids.ts';
import type { Principal } from './principal.ts';
import type { HttpResult } from './response.ts';

/**
 * Ids, time and secret of the resources that a request creates. A repeat with the same `Idempotency-Key` gets the same
 * values, so every write of the request is idempotent.
 */
export interface IdempotencyContext {
  readonly at: Date;
  /** Whether an earlier run of the request may have written something. */
  readonly isRepeat: boolean;
  /** Returns the id of the created resource; one for each prefix. */
  id(prefix: IdPrefix): string;
  /** Returns 32 secret random bytes. */
  secret(): Buffer;
}

/** Returns the context of a request without an `Idempotency-Key`. */
export const freshIdempotencyContext = (clock: Clock): IdempotencyContext => {
  const at = clock.now();
  return { at, isRepeat: false, id: (prefix) => newId(prefix, at), secret: () => randomBytes(32) };
};

/** Returns the context that derives from `seed`, 32 random bytes. */
export const seededIdempotencyContext = (at: Date, seed: Buffer, isRepeat = false): IdempotencyContext => ({
  at,
  isRepeat,
  id: (prefix) => derivedId(prefix, at, seed.toString('hex')),
  secret: () => seed,
});

/** Request with an `Idempotency-Key`. */
export interface IdempotentRequest {
  readonly caller: Principal;
  readonly endpointId: string;
  /** Value of the header `Idempotency-Key`. */
  readonly key: string;
  /** Content that a repeat must have in common with the first request, besides the key. */
  readonly request: string;
}

/** Part of a response that is stored for repeats. */
export type StoredResponse = Pick<HttpResult, 'statusCode' | 'body'>;

/** Run of an idempotent request. */
export interface IdempotentRun {
  readonly idempotency: IdempotencyContext;
  /** Stores the response. Returns the stored one, which is that of the first of concurrent runs. */
  store(response: StoredResponse): Promise<StoredResponse>;
  /** Releases the key for other requests after a run that has written nothing, unless another run has started. */
  release(): Promise<void>;
}

/** Stores responses for 24 hours. `begin` throws 409 if the key was used with another request. */
export interface IdempotencyStore {
  begin(request: IdempotentRequest): Promise<IdempotentRun | StoredResponse>;
}

const header = 'idempotency-key';

/** Returns the `Idempotency-Key` of a request; null if it has none. Adds to `problems` if the key is not valid. */
export const idempotencyKeyOf = (
  headers: Readonly<Record<string, string | undefined>>,
  problems: ValidationProblem[],
): string | null => {
  const key = headers[header];
  if (key === undefined) return null;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  problems.push(valueProblem(['header', header], 'an Idempotency-Key has 1 to 255 visible ASCII characters'));
  return null;
};

/**
 * Returns the stored response to an earlier request with the same `Idempotency-Key`, or runs the request with the context of
 * the key. Only successes are stored, because a retry of an error may succeed. A 422 releases the key.
 */
export const withIdempotency = async (
  store: IdempotencyStore,
  request: IdempotentRequest,
  run: (idempotency: IdempotencyContext) => Promise<HttpResult>,
  requestId: string,
): Promise<HttpResult> => {
  const begun = await store.begin(request);
  if (!('idempotency' in begun)) {
    const headers = { 'content-type': 'application/json', 'x-request-id': requestId, 'idempotent-replayed': 'true' };
    return { ...begun, headers };
  }
  const response = await run(begun.idempotency).catch(async (error: unknown) => {
    // Validation comes before any write.
    if (error instanceof ValidationFailure) await begun.release();
    throw error;
  });
  return { ...response, ...(await begun.store({ statusCode: response.statusCode, body: response.body })) };
};
