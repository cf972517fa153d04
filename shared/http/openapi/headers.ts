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

/** Every header of an answer, by its name. */
export const headers = {
  'x-request-id': text('Names this request in the logs of the service.', exampleId('req')),
  'ratelimit-limit': count(
    'Requests a minute that the plan allows, by the limit of which least is left. Absent, as the other two, where a request is refused before it is counted, as with `organization_not_allowed`.',
    6000,
  ),
  'ratelimit-remaining': count('What is left of it; an estimate where the limit is above 30,000.', 5999),
  'ratelimit-reset': count('Seconds until it starts anew.', 42),
  'retry-after': count('Seconds after which a repeat has a chance.', 42),
  'x-next-cursor': text('The `cursor` of the next page; absent on the last one.', 'aWR4XzAxa2Z3cTN2OHI'),
  'idempotent-replayed': text('`true` where this is the kept answer to an earlier request of the same key.', 'true'),
  'www-authenticate': text(
    'The scheme that is expected and, where credentials were sent, why they do not do.',
    'Bearer error="invalid_token"',
  ),
  'cache-control': text('Whether the answer may be kept, and for how many seconds.', 'no-store'),
  etag: text(
    'Names this content; send it as `if-none-match` to get a 304 while it has not changed.',
    'W/"47DEQpj8HBSa-_TImW-5JC"',
  ),
  pragma: text('The same for caches of HTTP/1.0, where it may not.', 'no-cache'),
} as const satisfies Record<string, Schema>;

export type HeaderName = keyof typeof headers;

/** References to headers, as an answer lists them. */
export const headersOf = (names: readonly HeaderName[]): Schema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Headers of every answer to a caller whose requests are counted. */
export const rateHeaders = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'] as const;
