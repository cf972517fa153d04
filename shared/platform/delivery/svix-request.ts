import { setTimeout as pause } from 'node:timers/promises';
import type { Runtime } from '../../kernel/capability.ts';
import { openSecretReader } from '../aws/secret-parameter.ts';

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
 * Sends one request to Svix. Throws what Svix refuses, and what it does not answer in three tries.
 * @param path After `/api/v1/`.
 */
export type SvixRequest = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, parts?: Parts) => Promise<Answer>;

const timeoutMs = 8_000;
const pausesMs = [50, 100];

/** Retries what failed on Svix's side, or on the way. */
const sendRepeatedly = async (url: URL, init: RequestInit): Promise<Response> => {
  for (const pauseMs of pausesMs) {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) }).catch(() => null);
    if (answer !== null && answer.status < 500) return answer;
    await answer?.body?.cancel();
    await pause(pauseMs);
  }
  return fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
};

/** Requests under the key that lies in the Parameter Store as `svix-api-key`. */
export const openSvixRequest = (runtime: Runtime): SvixRequest => {
  const readKey = openSecretReader(runtime, 'svix-api-key', runtime.config.homeRegion);
  return async (method, path, { query = {}, body, key, accepts = [] } = {}) => {
    const url = new URL(`${runtime.config.delivery.svixUrl}/api/v1/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const answer = await sendRepeatedly(url, {
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
    const text = await answer.text();
    const { status } = answer;
    if (accepts.includes(status)) return { status, body: null };
    // The path names ids alone; what Svix says of a refusal may quote what it was sent.
    if (!answer.ok) throw new Error(`Svix answered ${status} to ${method} ${path}`);
    return { status, body: text === '' ? {} : (JSON.parse(text) as unknown) };
  };
};
