import type { Json, JsonObject } from '../../../kernel/json.ts';
import { valueAt } from './json-pointer.ts';
import { SourceFault } from '../port.ts';

type Auth =
  | { readonly type: 'none' }
  | { readonly type: 'bearer'; readonly token: string }
  | { readonly type: 'basic'; readonly username: string; readonly password: string }
  | { readonly type: 'header'; readonly name: string; readonly value: string }
  | OauthClient;

/** Client of the API's token endpoint. */
export interface OauthClient {
  readonly type: 'oauth_client_credentials';
  readonly token_url: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly scope: string | null;
  readonly client_authentication: 'basic' | 'body';
}

/** Pagination of a list whose responses do not contain the next page. */
export type Pagination =
  | { readonly type: 'link_header' }
  /** `start`: number of the first page. */
  | { readonly type: 'page'; readonly parameter: string; readonly start: number }
  /** `start`: offset of the first item. */
  | { readonly type: 'offset'; readonly parameter: string; readonly start: number };

/** Format of the text of an item; null to detect it for each. */
export type TextFormat = 'text' | 'html' | 'markdown';

/** Description of the API by the caller, validated when the connection was created. */
export interface Description {
  readonly base_url: string;
  readonly auth: Auth;
  /** Access token, if the service gets one. */
  readonly access_token?: string;
  readonly list: {
    readonly path: string;
    readonly method: 'GET' | 'POST';
    readonly query: Readonly<Record<string, string>>;
    readonly items: string;
    readonly next: string | null;
    readonly next_parameter: string | null;
    readonly pagination: Pagination | null;
    readonly updated_since: { readonly parameter: string; readonly format: 'rfc3339' | 'unix' } | null;
  };
  readonly item: {
    readonly id: string;
    readonly title: string | null;
    readonly text: string | null;
    readonly format: TextFormat | null;
    readonly file_url: string | null;
    readonly url: string | null;
    readonly metadata: Readonly<Record<string, string>>;
    readonly updated_at: string | null;
  };
}

/** Pagination by a number in the query: of pages or of items. */
const countedPagination = ({ list: { pagination } }: Description) =>
  pagination?.type === 'page' || pagination?.type === 'offset' ? pagination : null;

/** Statuses of a page after the last one. */
const pastEndStatuses: readonly number[] = [400, 404, 410, 416, 422];

/** Statuses of a page that mean the end of its list; undefined if its pages contain the end. */
export const endStatuses = (description: Description): readonly number[] | undefined =>
  countedPagination(description) === null ? undefined : pastEndStatuses;

/** Returns the URL of the first page. */
export const firstPage = (description: Description): string => {
  const { base_url, list } = description;
  const url = new URL(`${base_url.replace(/\/+$/, '')}${list.path}`);
  for (const [name, value] of Object.entries(list.query)) url.searchParams.set(name, value);
  const counted = countedPagination(description);
  if (counted !== null) url.searchParams.set(counted.parameter, String(counted.start));
  return url.href;
};

/** Returns a string, or a number as a string; null for anything else. */
export const scalar = (value: Json | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null;

/**
 * Maximum length of a cursor or URL: more cannot be stored. Node's query parser takes quadratic time, seconds at this
 * length.
 */
const maxNextLength = 512 * 1024;

const linkValue = /<([^>]*)>((?:\s*;\s*[^\s=;,]+\s*=\s*(?:"[^"]*"|[^\s",;]*))*)/g;
const relation = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]*))/i;

/** Target of the link with the relation `next` in a `Link` header (RFC 8288); null if there is none. */
const nextLink = (header: string): string | null => {
  for (const [, target = '', parameters = ''] of header.matchAll(linkValue)) {
    const [, quoted, plain] = relation.exec(parameters) ?? [];
    const relations = (quoted ?? plain ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('next')) return target;
  }
  return null;
};

/** A page of the list as it was received. */
interface ReceivedPage {
  readonly url: string;
  readonly body: Json;
  readonly items: readonly Json[];
  /** The `Link` header. */
  readonly link: string;
}

/** Address of the page after a counted one. The list ends with a page without items. */
const nextCountedPage = (
  { type, parameter, start }: Exclude<Pagination, { type: 'link_header' }>,
  { url, items }: ReceivedPage,
): string | null => {
  if (items.length === 0) return null;
  const following = new URL(url);
  const current = Number(following.searchParams.get(parameter) ?? start);
  following.searchParams.set(parameter, String(current + (type === 'page' ? 1 : items.length)));
  return following.href;
};

/** Address of the page after a received one; null after the last. Throws `refused` if the address is not usable. */
export const nextPage = (description: Description, received: ReceivedPage): string | null => {
  const { url, body: page } = received;
  const { next, next_parameter: parameter, pagination } = description.list;
  const counted = countedPagination(description);
  if (counted !== null) return nextCountedPage(counted, received);
  const inBody = next === null ? null : scalar(valueAt(page, next));
  const value = pagination?.type === 'link_header' ? nextLink(received.link) : inBody;
  if (value === null) return null;
  if (value.length > maxNextLength)
    throw new SourceFault(
      'refused',
      `The cursor of the next page has more than ${maxNextLength} characters: check \`list.next\``,
    );
  if (parameter !== null) {
    const following = new URL(firstPage(description));
    following.searchParams.set(parameter, value);
    return following.href;
  }
  if (!URL.canParse(value, url))
    throw new SourceFault('refused', 'The URL of the next page is invalid: check `list.next`');
  const following = new URL(value, url);
  if (following.origin !== new URL(description.base_url).origin)
    throw new SourceFault('refused', 'The next page is at another host: check `list.next`');
  return following.href;
};

/**
 * Position in a list, without the query parameters that the caller gave: they may contain a key, and the state is not
 * sealed.
 * `given`: names of those parameters.
 */
export interface Onward {
  readonly next: string;
  readonly given: readonly string[];
  readonly pages: number;
  /** Time at which the listing began; only if changes can be listed. */
  readonly startedAt?: string;
  /** Time since which changes are listed; absent in a listing of everything. */
  readonly since?: string;
  /** Digest of the ids on the previous page; absent if the list is not paged by numbers. */
  readonly ids?: string;
}

/** Position between two listings of an API that can list changes. */
export interface Rest {
  readonly since: string;
}

/** Returns the description with the query that lists changes since a time. */
export const listingSince = (description: Description, since: string | undefined): Description => {
  const { list } = description;
  if (since === undefined || list.updated_since === null) return description;
  const { parameter, format } = list.updated_since;
  const value = format === 'unix' ? String(Math.floor(Date.parse(since) / 1000)) : since.replace(/\.\d+Z$/, 'Z');
  return { ...description, list: { ...list, query: { ...list.query, [parameter]: value } } };
};

/** Whether a parameter has exactly the caller's value. */
const isGiven = (url: URL, name: string, value: string): boolean => {
  const [only, ...others] = url.searchParams.getAll(name);
  return only === value && others.length === 0;
};

/** Returns the position to store for the URL of a page. */
export const keep = (next: string, { list }: Description, pages: number): JsonObject => {
  const url = new URL(next);
  const given = Object.entries(list.query).flatMap(([name, value]) => (isGiven(url, name, value) ? [name] : []));
  for (const name of given) url.searchParams.delete(name);
  return { next: url.href, given, pages };
};

/** Restores the URL of a stored position. */
export const addressOf = ({ next, given }: Onward, { list }: Description): string => {
  const url = new URL(next);
  for (const name of given) url.searchParams.set(name, list.query[name] ?? '');
  return url.href;
};
