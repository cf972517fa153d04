import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { SourceFault } from '../port.ts';
import type { PublicGet } from '../public-http.ts';
import { textAt } from '../read-text.ts';

/** Maximum size of a page with its body, or of a list. */
const maxBytes = 32 * 1024 * 1024;
const apiPath = '/wiki/api/v2';
/** Version 1 of the API has the search, which version 2 lacks. */
const contentPath = '/wiki/rest/api/content';
/** Maximum size of an attachment. */
const maxFileBytes = 128 * 1024 * 1024;
const fileTimeoutMs = 300_000;

const foundPerList = 100;

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
  /** Returns a page of the content that a query in CQL finds; null as with `list`. `next`: that of the page before. */
  search(cql: string, next: string | null): Promise<SiteList | null>;
  /** Returns the bytes of an attachment; null if it no longer exists. */
  download(attachment: {
    readonly id: string;
    readonly pageId: string;
    readonly sizeBytes: number;
  }): Promise<Uint8Array | null>;
}

/** Converts the address of a next page, which is relative to the site or to `/wiki`, to its path below `base`. */
const nextOf = (body: JsonObject, base: string): string | null => {
  const links = body['_links'];
  const next = isObject(links) ? textAt(links, 'next') : '';
  if (next === '') return null;
  const path = next.startsWith('/wiki/') ? next : `/wiki${next}`;
  if (!path.startsWith(`${base}/`)) throw new SourceFault('busy', 'Confluence returned the address of another service');
  return path.slice(base.length);
};

/** Opens a site with an account's API token. Source: Atlassian, "Basic auth for REST APIs". */
export const openSite = (get: PublicGet, credentials: JsonObject, now: Date): Site => {
  const url = textAt(credentials, 'site_url').replace(/\/+$/, '');
  const basic = Buffer.from(`${textAt(credentials, 'email')}:${textAt(credentials, 'token')}`).toString('base64');
  const headers = { authorization: `Basic ${basic}`, accept: 'application/json' };
  const read = async (path: string, absentStatuses: readonly number[]): Promise<JsonObject | null> => {
    const request = { url: `${url}${path}`, method: 'GET', headers, maxBytes, absentStatuses } as const;
    const response = await get({ ...request, provider: 'Confluence', followsRedirects: false }, now);
    if (response === null) return null;
    const body: unknown = JSON.parse(Buffer.from(response.bytes).toString());
    if (!isObject(body)) throw new SourceFault('busy', 'Confluence returned no object');
    return body;
  };
  const listOf = async (base: string, path: string): Promise<SiteList | null> => {
    const body = await read(base + path, [400, 404]);
    if (body === null) return null;
    const { results } = body;
    return { rows: Array.isArray(results) ? results.filter(isObject) : [], next: nextOf(body, base) };
  };
  return {
    url,
    get: (path) => read(apiPath + path, [404]),
    list: (path) => listOf(apiPath, path),
    search: (cql, next) => {
      const query = new URLSearchParams({ cql, expand: 'version,container', limit: String(foundPerList) });
      return listOf(contentPath, next ?? `/search?${query.toString()}`);
    },
    download: async ({ id, pageId, sizeBytes }) => {
      if (sizeBytes > maxFileBytes) throw new SourceFault('unreadable', `it has more than ${maxFileBytes} bytes`);
      const response = await get(
        {
          url: `${url}${contentPath}/${pageId}/child/attachment/${id}/download`,
          method: 'GET',
          headers: { authorization: headers.authorization },
          maxBytes: maxFileBytes,
          timeoutMs: fileTimeoutMs,
          deniedStatuses: [403],
          provider: 'Confluence',
          // The file is at another service, whose address has a signature.
          followsRedirects: true,
        },
        now,
      );
      return response?.bytes ?? null;
    },
  };
};
