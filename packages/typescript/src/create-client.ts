import createFetchClient from 'openapi-fetch';
import { bindFiles } from './files.ts';
import { requireJson } from './json-body.ts';
import { type Api, bindOperations, isJson } from './operations.ts';
import { randomId } from './random-id.ts';
import { repeat } from './repeat.ts';
import type { IndexCreate, IndexResponse, paths } from './schema.ts';
import { StrataError } from './strata-error.ts';
import { bindVectors } from './vectors.ts';

export interface ClientOptions {
  /** Address of the service, such as `https://api.example.com`, with or without `/v1` at its end. */
  readonly baseUrl: string;
  /**
   * API key, access token, session token or ID token; null for operations that need none. A function is called before each
   * request, and can renew a token.
   */
  readonly token: string | null | (() => string | Promise<string>);
  /** Organization of the requests, if a session has several. */
  readonly organizationId?: string;
  /** Maximum of retries after a 408, 429, 502, 503 or 504, or a broken connection; 4 if absent. */
  readonly retries?: number;
}

const defaultRetries = 4;

/** Address of the service without `/v1`, with which the paths of the operations begin. */
export const serviceAddress = (baseUrl: string): string => baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '');

/** Value of the header of a token. The error of `Headers` for an invalid value would contain it. Throws TypeError. */
const authorizationOf = (token: string): string => {
  const trimmed = token.trim();
  if (/^[\x21-\x7e]*$/.test(trimmed)) return `Bearer ${trimmed}`;
  throw new TypeError('The token contains a space, a line break or another character that no token has.');
};

/** Writes a request body as JSON, or as a form if its content type says so. Throws TypeError for what JSON cannot contain. */
const serializeBody = (body: unknown, headers?: Headers): string => {
  requireJson(body);
  const isForm = headers?.get('content-type') === 'application/x-www-form-urlencoded';
  return isForm ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body);
};

const openApi = ({ baseUrl, token, organizationId }: ClientOptions, retries: number): Api => {
  const api = createFetchClient<paths>({
    baseUrl: serviceAddress(baseUrl),
    headers: {
      ...(typeof token === 'string' && { authorization: authorizationOf(token) }),
      ...(organizationId === undefined ? {} : { 'x-service-organization-id': organizationId }),
    },
    bodySerializer: serializeBody,
    // The service never redirects, and a followed redirect would turn a POST into a GET.
    redirect: 'manual',
    // A body can be read once: every attempt but the last sends a copy.
    fetch: (request) =>
      repeat((isLast) => fetch(isLast ? request : request.clone()), {
        retries,
        signal: request.signal,
        done: request.method === 'DELETE' ? 404 : null,
      }),
  });
  api.use({
    onRequest: async ({ request }) => {
      if (typeof token === 'function') request.headers.set('authorization', authorizationOf(await token()));
      // The service uses the key for operations that create something.
      const isBare = request.method === 'POST' && !request.headers.has('idempotency-key');
      if (isBare) request.headers.set('idempotency-key', randomId());
    },
    onResponse: async ({ request, response, options }) => {
      // In browsers a 204 has a body, which is empty.
      if (response.ok && (options.parseAs !== 'json' || response.status === 204 || isJson(response))) return;
      throw new StrataError(`${request.method} ${new URL(request.url).pathname}`, response, await response.text());
    },
  });
  return api;
};

/**
 * Creates a client of the service, typed by its OpenAPI description. It keeps no connection of its own. Throws TypeError
 * without a token, since its requests would have no credential.
 */
export const createClient = (options: ClientOptions) => {
  if ((options.token as unknown) === undefined)
    throw new TypeError('token is missing: pass an API key or token, or null for operations that need none');
  const retries = options.retries ?? defaultRetries;
  const api = openApi(options, retries);
  const operations = bindOperations(api, serviceAddress(options.baseUrl));
  /** Returns the oldest index of a name, or creates it. Throws a StrataError, a 409 if it differs from what is requested. */
  const getOrCreateIndex = (index: Omit<IndexCreate, 'if_exists'>): Promise<IndexResponse> =>
    operations.post('/v1/indexes', { body: { ...index, if_exists: 'return' } });
  return { ...operations, getOrCreateIndex, ...bindFiles(operations, retries), ...bindVectors(operations), api };
};

/** Client of the service for one credential. `api` returns whole responses, with status and headers. */
export type StrataClient = ReturnType<typeof createClient>;
