import createFetchClient from 'openapi-fetch';
import { bindFiles } from './files.ts';
import { type Api, bindOperations } from './operations.ts';
import { repeat } from './repeat.ts';
import type { paths } from './schema.ts';
import { StrataError } from './strata-error.ts';
import { bindVectors } from './vectors.ts';

export interface ClientOptions {
  /** Address of the service, such as `https://api.example.com`. */
  readonly baseUrl: string;
  /**
   * API key, access token, session token or ID token; null for operations that need none. A function is called before each
   * request, and can renew a token.
   */
  readonly token: string | null | (() => string | Promise<string>);
  /** Organization of the requests, if a session has several. */
  readonly organizationId?: string;
  /** Maximum of retries after a 429, a 503 or a broken connection; 4 if absent. */
  readonly retries?: number;
}

const defaultRetries = 4;

const isJson = ({ headers }: Response): boolean => /[/+]json\b/i.test(headers.get('content-type') ?? '');

const openApi = ({ baseUrl, token, organizationId }: ClientOptions, retries: number): Api => {
  const api = createFetchClient<paths>({
    baseUrl,
    headers: {
      ...(typeof token === 'string' && { authorization: `Bearer ${token}` }),
      ...(organizationId === undefined ? {} : { 'x-service-organization-id': organizationId }),
    },
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
      if (typeof token === 'function') request.headers.set('authorization', `Bearer ${await token()}`);
      // The service uses the key for operations that create something.
      const isBare = request.method === 'POST' && !request.headers.has('idempotency-key');
      if (isBare) request.headers.set('idempotency-key', crypto.randomUUID());
    },
    onResponse: async ({ request, response, options }) => {
      if (response.ok && (options.parseAs !== 'json' || response.body === null || isJson(response))) return;
      throw new StrataError(`${request.method} ${new URL(request.url).pathname}`, response, await response.text());
    },
  });
  return api;
};

/** Creates a client of the service, typed by its OpenAPI description. It keeps no connection of its own. */
export const createClient = (options: ClientOptions) => {
  const retries = options.retries ?? defaultRetries;
  const api = openApi(options, retries);
  const operations = bindOperations(api);
  return { ...operations, ...bindFiles(operations, retries), ...bindVectors(operations), api };
};

/** Client of the service for one credential. `api` returns whole responses, with status and headers. */
export type StrataClient = ReturnType<typeof createClient>;
