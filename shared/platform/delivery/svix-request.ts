import { setTimeout as pause } from 'node:timers/promises';
import type { Runtime } from '../../kernel/capability.ts';
import { type AppError, unavailable } from '../../kernel/errors.ts';
import { isTransientStatus } from '../../kernel/http-status.ts';
import { secretNames } from '../../kernel/names.ts';
import { MissingSecret, openSecretReader } from '../aws/secret-parameter.ts';

interface Parts {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Svix answers a repeat under the same key as it did before. */
  readonly key?: string;
  /** Statuses that are no failure. */
  readonly accepts?: readonly number[];
}

interface Answer {
  readonly status: number;
  /** The JSON of a success, an empty object where it has none; null with another status. */
  readonly body: unknown;
}

/**
 * Sends one request to Svix. Throws 503 if Svix refuses it, does not answer in time, or takes no more for now.
 * @param path After `/api/v1/`.
 */
export type SvixRequest = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, parts?: Parts) => Promise<Answer>;

/** For all tries together, so that whoever waits for this service hears of it. */
const timeoutMs = 8_000;
const mostTries = 3;
const pauseMs = 100;
/** Svix counts what it takes by the second. */
const busyPauseMs = 1_000;

interface Exchange {
  readonly status: number;
  readonly text: string;
}

/** What another try may mend. */
interface Passing {
  readonly failure: unknown;
  readonly pauseMs: number;
  /** The message for the caller if no try mends it. */
  readonly message: string;
}

const unreachable = 'The webhook delivery provider cannot be reached, try again';
const busy = 'The webhook delivery provider takes no more requests for now, try again';

/** Seconds until a failure that the operator has to mend may be mended: a new key is read after at most five minutes. */
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

const send = async (url: URL, init: RequestInit): Promise<Exchange | Passing> => {
  try {
    const answer = await fetch(url, init);
    const [{ status }, text] = [answer, await answer.text()];
    const failure = `Svix answered ${status}`;
    if (status === 429) return { failure, pauseMs: busyPauseMs, message: busy };
    return isTransientStatus(status) ? { failure, pauseMs, message: unreachable } : { status, text };
  } catch (failure) {
    return { failure, pauseMs, message: unreachable };
  }
};

const sendRepeatedly = async (url: URL, init: RequestInit): Promise<Exchange> => {
  const signal = AbortSignal.timeout(timeoutMs);
  for (let tries = 1; ; tries += 1) {
    const outcome = await send(url, { ...init, signal });
    if ('status' in outcome) return outcome;
    if (tries === mostTries || signal.aborted) throw unavailable(outcome.failure, outcome.message);
    await pause(outcome.pauseMs);
  }
};

const parsed = (text: string): unknown => {
  if (text === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    // As a proxy before Svix answers.
    throw unavailable(cause, unreachable);
  }
};

/** Requests under the key that lies in the Parameter Store as `svix-api-key`. */
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
    const { status, text } = await sendRepeatedly(url, {
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
    // The path names ids alone; what Svix says of a refusal may quote what it was sent.
    if (status >= 300) throw refusalOf(status, `Svix answered ${status} to ${method} ${path}`);
    return { status, body: parsed(text) };
  };
};
