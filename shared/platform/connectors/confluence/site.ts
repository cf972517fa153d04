import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { SourceFault } from '../port.ts';
import type { PublicGet } from '../public-http.ts';
import { textAt } from '../read-text.ts';

/** Maximum size of a page with its body, or of a list. */
const maxBytes = 32 * 1024 * 1024;
const apiPath = '/wiki/api/v2';

/** A page of a list. */
export interface SiteList {
  readonly rows: readonly JsonObject[];
  /** Path of the next page; null at the end. */
  readonly next: string | null;
}

/** REST API (v2) of a site of Confluence Cloud. Paths begin with a slash. */
export interface Site {
  readonly url: string;
  /** Returns an object; null if it does not exist or is not visible. Throws a `SourceFault`. */
  get(path: string): Promise<JsonObject | null>;
  /** Returns a page of a list; null if it does not exist or its cursor is no longer known. */
  list(path: string): Promise<SiteList | null>;
}

/** Converts the address of a next page, which is relative to the site, to its path. */
const nextOf = (body: JsonObject): string | null => {
  const links = body['_links'];
  const next = isObject(links) ? textAt(links, 'next') : '';
  if (next === '') return null;
  if (!next.startsWith(`${apiPath}/`))
    throw new SourceFault('busy', 'Confluence returned the address of another service');
  return next.slice(apiPath.length);
};

/** Opens a site with an account's API token. Source: Atlassian, "Basic auth for REST APIs". */
export const openSite = (get: PublicGet, credentials: JsonObject, now: Date): Site => {
  const url = textAt(credentials, 'site_url').replace(/\/+$/, '');
  const basic = Buffer.from(`${textAt(credentials, 'email')}:${textAt(credentials, 'token')}`).toString('base64');
  const headers = { authorization: `Basic ${basic}`, accept: 'application/json' };
  const read = async (path: string, absentStatuses: readonly number[]): Promise<JsonObject | null> => {
    const request = { url: `${url}${apiPath}${path}`, method: 'GET', headers, maxBytes, absentStatuses } as const;
    const response = await get({ ...request, provider: 'Confluence', followsRedirects: false }, now);
    if (response === null) return null;
    const body: unknown = JSON.parse(Buffer.from(response.bytes).toString());
    if (!isObject(body)) throw new SourceFault('busy', 'Confluence returned no object');
    return body;
  };
  return {
    url,
    get: (path) => read(path, [404]),
    list: async (path) => {
      const body = await read(path, [400, 404]);
      if (body === null) return null;
      return { rows: Array.isArray(body['results']) ? body['results'].filter(isObject) : [], next: nextOf(body) };
    },
  };
};
