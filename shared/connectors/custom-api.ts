import * as z from 'zod';
import { boundedMap, integer } from '../http/schema-helpers.ts';
import { maxUrlCharacters } from '../kernel/bounds.ts';
import { type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import { tagged } from '../kernel/tagged.ts';
import { isLocalUrl, publicUrlProblem } from '../platform/delivery/public-address.ts';
import { CustomApiAuth } from './custom-api-auth.ts';
import { providerCredentials } from './creation-schemas.ts';
import { ConnectorName, connectorSettings } from './schemas.ts';

const BaseUrl = z
  .string()
  .min(1, { abort: true })
  .max(maxUrlCharacters, { abort: true })
  .superRefine((url, context) => {
    const query = url.includes('?') ? 'the base address must not contain a query' : null;
    const problem = publicUrlProblem(url, ['https:'], true) ?? query;
    if (problem !== null) context.addIssue({ code: 'custom', message: problem, input: url });
  })
  .describe('An https address on the public internet, to which `list.path` is appended.');

/** Returns the problems of addresses in a body that are local, if the deployment does not allow that. */
export const endpointProblems = (body: object, allowLocal: boolean): readonly ValidationProblem[] =>
  [['base_url'], ['endpoint'], ['auth', 'token_url'], ['credentials', 'site_url']].flatMap((names) => {
    const url = names.reduce<unknown>(
      (value, name) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[name],
      body,
    );
    const isRefused = typeof url === 'string' && !allowLocal && URL.canParse(url) && isLocalUrl(new URL(url));
    return isRefused ? [valueProblem(['body', ...names], 'the address must begin with https://')] : [];
  });

/** JSON Pointer (RFC 6901). The empty one is the whole value. */
const Pointer = z
  .string()
  .max(1024, { abort: true })
  .regex(/^(\/([^/~]|~[01])*)*$/, 'the value must be a JSON Pointer such as /data/items');

// oxlint-disable-next-line no-control-regex -- control characters are what it excludes
const pathForm = /^(\/(?!\/)[^?#\\\s\x00-\x1f\x7f]*)?$/;

const ListPath = z
  .string()
  .max(2048, { abort: true })
  .regex(pathForm)
  .refine((path) => !/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path), { error: 'the path must not point to another folder' })
  .describe('Begins with `/`, without a query.');

const parameterName = z.string().min(1).max(255);

const Pagination = tagged('type', [
  z
    .strictObject({ type: z.literal('link_header').describe('Always `link_header`.') })
    .meta({ id: 'LinkHeaderPagination', description: 'The next page is in the `Link` header, as `rel="next"`.' }),
  z
    .strictObject({
      type: z.literal('page').describe('Always `page`.'),
      parameter: parameterName.default('page').describe('Query parameter that takes the number of the page.'),
      start: integer().min(0).max(1_000_000).default(1).describe('Number of the first page.'),
    })
    .meta({ id: 'PageNumberPagination', description: 'The next page has the next number.' }),
  z
    .strictObject({
      type: z.literal('offset').describe('Always `offset`.'),
      parameter: parameterName.default('offset').describe('Query parameter that takes the number of items to skip.'),
      start: integer().min(0).max(1_000_000).default(0).describe('Offset of the first item.'),
    })
    .meta({ id: 'OffsetPagination', description: 'The next page skips the items so far.' }),
]).meta({ id: 'CustomApiPagination', description: 'How to get the next page.' });

const List = z
  .strictObject({
    path: ListPath.describe('Path of the list. It begins with `/` and has no query.'),
    method: z.enum(['GET', 'POST']).default('GET').describe('Method of the requests.'),
    query: boundedMap(z.record(z.string().min(1).max(255), z.string().max(2048)), 50)
      .default({})
      .describe('Query parameters of the requests.'),
    items: Pointer.describe('JSON Pointer to the list of items in a response.'),
    next: Pointer.nullable()
      .default(null)
      .describe('JSON Pointer to the URL or cursor of the next page; the value is absent or null on the last page.'),
    next_parameter: parameterName
      .nullable()
      .default(null)
      .describe('Query parameter for the value at `next`; null if that value is the URL of the next page.'),
    pagination: Pagination.nullable()
      .default(null)
      .describe(
        'How to get the next page if the response does not contain it; replaces `next`. By page number or offset, the list ends with a page without items.',
      ),
    updated_since: z
      .strictObject({
        parameter: parameterName.describe('Query parameter that takes the time.'),
        format: z
          .enum(['rfc3339', 'unix'])
          .default('rfc3339')
          .describe('Form of the time: `2026-01-31T12:00:00Z`, or seconds since 1970.'),
      })
      .meta({ id: 'CustomApiUpdatedSince', description: 'How to list only what has changed.' })
      .nullable()
      .default(null)
      .describe(
        'With it, a sync lists what has changed since the one before. Once a day the whole list is read, which also finds deletions. Null: every sync reads the whole list.',
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
  .meta({ id: 'CustomApiList', description: 'How to list the items of a custom API.' });

const Item = z
  .strictObject({
    id: Pointer.describe('JSON Pointer, within an item, to its permanent id.'),
    title: Pointer.nullable().default(null).describe('JSON Pointer to the title.'),
    text: Pointer.nullable().default(null).describe('JSON Pointer to the text; either this or `file_url`.'),
    format: z
      .enum(['text', 'html', 'markdown'])
      .meta({ id: 'CustomApiTextFormat', description: 'Format of the text of an item.' })
      .nullable()
      .default(null)
      .describe('Format of the text; null to detect it for each item.'),
    file_url: Pointer.nullable()
      .default(null)
      .describe('JSON Pointer to the URL of a file. If the URL returns 404 or 410, its item is skipped.'),
    url: Pointer.nullable().default(null).describe('JSON Pointer to the URL at which people read the item.'),
    metadata: boundedMap(z.record(z.string().regex(/^[A-Za-z_][\w.-]{0,63}$/), Pointer), 50)
      .default({})
      .describe(
        'Keys of the metadata of chunks, each with a JSON Pointer to a text, number, boolean or list of texts in an item. Other values are left out.',
      ),
    updated_at: Pointer.nullable()
      .default(null)
      .describe(
        'JSON Pointer to a value that changes with every change of a file. Without it, files are fetched at every sync. Texts are compared directly.',
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
    // Checked even if a field has its own problem, so that all problems are reported at once.
    { when: () => true },
  )
  .meta({ id: 'CustomApiItem', description: 'Fields of an item of a custom API.' });

const description = {
  base_url: BaseUrl,
  auth: CustomApiAuth.describe('How requests authenticate.'),
  list: List.describe('How items are listed.'),
  item: Item.describe('Fields of an item.'),
};

export const CustomApiCreate = z
  .strictObject({
    name: ConnectorName,
    ...description,
    metadata: connectorSettings.metadata,
    sync_interval_minutes: integer().min(5).max(10_080).default(60).describe('Minutes between two syncs.'),
  })
  .meta({
    id: 'CustomApiCreate',
    description: 'A custom API to connect.',
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

/** New credentials of a connection; for a custom API its whole description. */
export const ConnectorReconnect = tagged('provider', [
  ...providerCredentials,
  z
    .strictObject({ provider: z.literal('custom_api').describe('Always `custom_api`.'), ...description })
    .meta({ id: 'CustomApiReconnect', description: 'A new description of a custom API.' }),
]).meta({
  id: 'ConnectorReconnect',
  description: 'New credentials of the source.',
  examples: [{ provider: 'notion', credentials: { token: 'ntn_0123456789abcdef' } }],
});
export type ConnectorReconnect = z.output<typeof ConnectorReconnect>;
