import { exampleId } from '../examples.ts';
import type { Schema } from './schema.ts';

const text = (description: string, example: string): Schema => ({
  description,
  schema: { type: 'string' },
  example,
});

const count = (description: string, example: number): Schema => ({
  description,
  schema: { type: 'integer', format: 'int32' },
  example,
});

/** Response headers by name. */
export const headers = {
  'x-request-id': text('Id of the request in the logs of the service.', exampleId('req')),
  'ratelimit-limit': count(
    'Rate limit in requests per minute. If several limits apply: the one with the least remaining. The `ratelimit-…` headers are absent if the request was refused before it was counted, as with `organization_not_allowed`.',
    6000,
  ),
  'ratelimit-remaining': count('Remaining requests; an estimate if the limit is above 30,000.', 5999),
  'ratelimit-reset': count('Seconds until the rate limit resets.', 42),
  'retry-after': count('Seconds after which a retry may succeed.', 42),
  'x-next-cursor': text('The `cursor` of the next page; absent on the last one.', 'aWR4XzAxa2Z3cTN2OHI'),
  'idempotent-replayed': text('`true` if this is the stored response to an earlier request with the same key.', 'true'),
  'www-authenticate': text(
    'Expected scheme and, if credentials were sent, why they were refused.',
    'Bearer error="invalid_token"',
  ),
  'cache-control': text('Whether the response may be cached, and for how many seconds.', 'no-store'),
  etag: text(
    'Version of the content. Send it as `if-none-match` to get a 304 if it has not changed.',
    'W/"47DEQpj8HBSa-_TImW-5JC"',
  ),
  pragma: text('`no-cache` for HTTP/1.0 caches if the response must not be cached.', 'no-cache'),
} as const satisfies Record<string, Schema>;

export type HeaderName = keyof typeof headers;

/** Returns references to headers. */
export const headersOf = (names: readonly HeaderName[]): Schema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Rate limit headers of every response to a request that was counted. */
export const rateHeaders = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'] as const;
