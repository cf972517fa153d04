import * as z from 'zod';
import { boundedMap } from '../http/bounded-map.ts';
import { integer } from '../http/integer.ts';
import { visibleText } from '../imports/index.ts';
import { mostUrlCharacters } from '../kernel/bounds.ts';
import { type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import { tagged } from '../kernel/tagged.ts';
import { isLocalUrl, publicUrlProblem } from '../platform/delivery/public-address.ts';
import { ConnectorName, providerCredentials } from './schemas.ts';

const BaseUrl = z
  .string()
  .min(1, { abort: true })
  .max(mostUrlCharacters, { abort: true })
  .superRefine((url, context) => {
    const query = url.includes('?') ? 'the base address must not hold a query' : null;
    const problem = publicUrlProblem(url, ['https:'], true) ?? query;
    if (problem !== null) context.addIssue({ code: 'custom', message: problem, input: url });
  })
  .describe('An https address on the public internet, to which `list.path` is appended.');

/** A problem where an address is of this very machine and the deployment does not allow any. */
export const reachProblems = (baseUrl: string | undefined, allowLocal: boolean): readonly ValidationProblem[] =>
  baseUrl === undefined || allowLocal || !isLocalUrl(new URL(baseUrl))
    ? []
    : [valueProblem(['body', 'base_url'], 'the address must use https')];

/** RFC 6901; the empty one is the whole value. */
const Pointer = z
  .string()
  .max(1024, { abort: true })
  .regex(/^(\/([^/~]|~[01])*)*$/, 'the value must be a JSON Pointer such as /data/items');

/* oxlint-disable no-control-regex -- control characters are what they exclude */
// A colon ends the user name in the header that carries both.
const userForm = /^[^:\x00-\x1f\x7f]*$/;
const passwordForm = /^[^\x00-\x1f\x7f]*$/;
const pathForm = /^(\/(?!\/)[^?#\\\s\x00-\x1f\x7f]*)?$/;
/* oxlint-enable no-control-regex */

const HeaderName = z
  .string()
  .max(255, { abort: true })
  .regex(/^[\w!#$%&'*+.^`|~-]+$/)
  .refine((name) => !/^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect)$/i.test(name), {
    error: 'this header is not for callers to set',
  });

/** A header's value: visible ASCII with spaces inside. */
const HeaderValue = z
  .string()
  .max(8192, { abort: true })
  .regex(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/);

const Auth = tagged('type', [
  z.object({ type: z.literal('none') }).meta({ id: 'NoAuth' }),
  z.object({ type: z.literal('bearer'), token: visibleText(8192) }).meta({ id: 'BearerAuth' }),
  z
    .object({
      type: z.literal('basic'),
      username: z.string().max(1024, { abort: true }).regex(userForm),
      password: z.string().max(1024, { abort: true }).regex(passwordForm),
    })
    .meta({ id: 'BasicAuth' }),
  z.object({ type: z.literal('header'), name: HeaderName, value: HeaderValue }).meta({ id: 'HeaderAuth' }),
]).meta({ id: 'CustomApiAuth' });

const ListPath = z
  .string()
  .max(2048, { abort: true })
  .regex(pathForm)
  .refine((path) => !/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path), { error: 'the path must not point to another folder' })
  .describe('Begins with `/`, without a query.');

const parameterName = z.string().min(1).max(255);

const Pagination = tagged('type', [
  z
    .object({ type: z.literal('link_header') })
    .meta({ id: 'LinkHeaderPagination', description: 'The next page is in the `Link` header, as `rel="next"`.' }),
  z
    .object({
      type: z.literal('page'),
      parameter: parameterName.default('page').describe('Query parameter that takes the number of the page.'),
      start: integer().min(0).max(1_000_000).default(1).describe('Number of the first page.'),
    })
    .meta({ id: 'PageNumberPagination' }),
  z
    .object({
      type: z.literal('offset'),
      parameter: parameterName.default('offset').describe('Query parameter that takes the number of items to skip.'),
      start: integer().min(0).max(1_000_000).default(0).describe('Offset of the first item.'),
    })
    .meta({ id: 'OffsetPagination' }),
]).meta({ id: 'CustomApiPagination' });

const List = z
  .object({
    path: ListPath,
    method: z.enum(['GET', 'POST']).default('GET'),
    query: boundedMap(z.record(z.string().min(1).max(255), z.string().max(2048)), 50).default({}),
    items: Pointer.describe('JSON Pointer to the list of items in an answer.'),
    next: Pointer.nullable()
      .default(null)
      .describe('JSON Pointer to what leads to the next page; absent or null there on the last one.'),
    next_parameter: parameterName
      .nullable()
      .default(null)
      .describe(
        'Query parameter that takes the value at `next`; null where that value is the address of the next page.',
      ),
    pagination: Pagination.nullable()
      .default(null)
      .describe(
        'How to get the next page if the response does not contain it; in place of `next`. By page number or offset the list ends with a page without items.',
      ),
  })
  .superRefine(
    (value: Readonly<Record<string, unknown>> | null, context) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
      const { next, pagination } = value;
      if (next != null && pagination != null)
        context.addIssue({
          code: 'custom',
          path: ['pagination'],
          message: 'give either next or pagination',
          input: pagination,
        });
    },
    { when: () => true },
  )
  .meta({ id: 'CustomApiList' });

const Item = z
  .object({
    id: Pointer.describe('JSON Pointer, within an item, to what never changes about it.'),
    title: Pointer.nullable().default(null),
    text: Pointer.nullable().default(null).describe('JSON Pointer to the text; either this or `file_url`.'),
    format: z
      .enum(['text', 'html', 'markdown'])
      .nullable()
      .default(null)
      .describe('Format of the text; null to detect it for each item.'),
    file_url: Pointer.nullable()
      .default(null)
      .describe(
        'JSON Pointer to the address of a file; one that answers 404 or 410 has gone, and its item is left out.',
      ),
    url: Pointer.nullable().default(null).describe('JSON Pointer to where people read the item.'),
    updated_at: Pointer.nullable()
      .default(null)
      .describe(
        'JSON Pointer to what changes with every change of a file; without it files are fetched at every sync. Texts are compared themselves.',
      ),
  })
  .superRefine(
    (value: Readonly<Record<string, unknown>> | null, context) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
      const [text, file] = [value['text'] ?? null, value['file_url'] ?? null];
      if (text === null && file === null)
        context.addIssue({ code: 'invalid_type', expected: 'string', path: ['text'], input: undefined });
      if (text !== null && file !== null)
        context.addIssue({ code: 'custom', path: ['file_url'], message: 'give either text or file_url', input: file });
    },
    // Also where a field has a problem of its own: all of them are told at once.
    { when: () => true },
  )
  .meta({ id: 'CustomApiItem' });

const description = { base_url: BaseUrl, auth: Auth, list: List, item: Item };

export const CustomApiCreate = z
  .object({
    name: ConnectorName,
    ...description,
    sync_interval_minutes: integer().min(5).max(10_080).default(60),
  })
  .meta({
    id: 'CustomApiCreate',
    examples: [
      {
        name: 'Articles',
        base_url: 'https://api.example.com/v2',
        auth: { type: 'bearer', token: '0123456789abcdef' },
        list: { path: '/articles', query: { state: 'published' }, items: '/data', next: '/meta/next' },
        item: { id: '/id', title: '/title', text: '/body', url: '/links/self', updated_at: '/updated_at' },
        sync_interval_minutes: 60,
      },
    ],
  });
export type CustomApiCreate = z.output<typeof CustomApiCreate>;

/** What takes the place of that which opened a source: for a custom API, all that was said of it. */
export const ConnectorReconnect = tagged('provider', [
  ...providerCredentials,
  z.object({ provider: z.literal('custom_api'), ...description }).meta({ id: 'CustomApiReconnect' }),
]).meta({
  id: 'ConnectorReconnect',
  examples: [{ provider: 'notion', credentials: { token: 'ntn_0123456789abcdef' } }],
});
export type ConnectorReconnect = z.output<typeof ConnectorReconnect>;
