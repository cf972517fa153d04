import { setTimeout as pause } from 'node:timers/promises';
import type { Runtime } from '../../kernel/capability.ts';
import { type AppError, unavailable } from '../../kernel/errors.ts';
import { isTransientStatus } from '../../kernel/http-status.ts';
import { secretNames } from '../../kernel/names.ts';
import { MissingSecret, openSecretReader } from '../aws/secret-parameter.ts';

interface Parts {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Idempotency key: Svix returns the first response to a repeat with the same key. */
  readonly key?: string;
  /** Statuses of 300 and above that are not failures. */
  readonly accepts?: readonly number[];
}

interface SvixResponse {
  readonly status: number;
  /** JSON of a success, an empty object if it has no body; null for another status. */
  readonly body: unknown;
}

/**
 * Sends one request to Svix. Throws 503 if Svix refuses it, does not answer in time, or limits the rate of requests.
 * @param path After `/api/v1/`.
 */
export type SvixRequest = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  parts?: Parts,
) => Promise<SvixResponse>;

/** Timeout of all attempts together, short enough for the caller of this service to receive the error. */
const timeoutMs = 8_000;
const maxAttempts = 3;
const pauseMs = 100;
/** The rate limit of Svix counts requests per second. */
const rateLimitedPauseMs = 1_000;

interface Exchange {
  readonly status: number;
  readonly text: string;
}

/** Failure that another attempt may not have. */
interface Transient {
  readonly failure: unknown;
  readonly pauseMs: number;
  /** Message for the caller if every attempt fails. */
  readonly message: string;
}

const unreachable = 'The webhook delivery provider cannot be reached, try again';
const rateLimited = 'The webhook delivery provider takes no more requests for now, try again';

/** `Retry-After` of a failure that the operator has to fix. A new key is read after at most five minutes. */
const operatorSeconds = 300;

const refusedKey = (cause: unknown): AppError =>
  unavailable(
    cause,
    'The webhook delivery provider refuses the API key of this deployment, which the operator has to renew',
    operatorSeconds,
  );

const missingKey = (cause: unknown): AppError =>
  unavailable(
    cause,
    'This deployment has no API key for its webhook delivery provider, which the operator has to store',
    operatorSeconds,
  );

const refusalOf = (status: number, cause: string): AppError =>
  status === 401 || status === 403
    ? refusedKey(cause)
    : unavailable(cause, `The webhook delivery provider answered ${status} to this service`, operatorSeconds);

const send = async (url: URL, init: RequestInit): Promise<Exchange | Transient> => {
  try {
    const response = await fetch(url, init);
    const [{ status }, text] = [response, await response.text()];
    const failure = `Svix answered ${status}`;
    if (status === 429) return { failure, pauseMs: rateLimitedPauseMs, message: rateLimited };
    return isTransientStatus(status) ? { failure, pauseMs, message: unreachable } : { status, text };
  } catch (failure) {
    return { failure, pauseMs, message: unreachable };
  }
};

const sendWithRetries = async (url: URL, init: RequestInit): Promise<Exchange> => {
  const signal = AbortSignal.timeout(timeoutMs);
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await send(url, { ...init, signal });
    if ('status' in outcome) return outcome;
    if (attempt === maxAttempts || signal.aborted) throw unavailable(outcome.failure, outcome.message);
    await pause(outcome.pauseMs);
  }
};

const parsed = (text: string): unknown => {
  if (text === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    // A proxy in front of Svix may return a page that is not JSON.
    throw unavailable(cause, unreachable);
  }
};

/** Returns a function that sends requests with the API key in the Parameter Store, `svix-api-key`. */
export const openSvixRequest = (runtime: Runtime): SvixRequest => {
  const readParameter = openSecretReader(runtime, secretNames.svix, runtime.config.homeRegion);
  const readKey = async (): Promise<string> => {
    try {
      return await readParameter();
    } catch (error) {
      throw error instanceof MissingSecret ? missingKey(error) : error;
    }
  };
  return async (method, path, { query = {}, body, key, accepts = [] } = {}) => {
    const url = new URL(`${runtime.config.delivery.svixUrl}/api/v1/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const { status, text } = await sendWithRetries(url, {
      method,
      redirect: 'error',
      headers: {
        authorization: `Bearer ${await readKey()}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (accepts.includes(status)) return { status, body: null };
    // The path contains ids only. The body of the error may quote the request, so it is not logged.
    if (status >= 300) throw refusalOf(status, `Svix answered ${status} to ${method} ${path}`);
    return { status, body: parsed(text) };
  };
};
