import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { SourceFault, type StepInput } from '../port.ts';
import type { PublicGet } from '../public-http.ts';
import { textAt } from '../read-text.ts';

const mebibyte = 1024 * 1024;
/** Maximum size of a page of a list. */
const maxPageBytes = 32 * mebibyte;
/** Maximum size of a file. */
const maxFileBytes = 128 * mebibyte;
/** Timeout of a download: 128 MiB at 6 Mbit/s. */
const downloadTimeoutMs = 180_000;

/** Microsoft Graph (v1.0) with the credentials of a connection. Paths begin with a slash. */
export interface Graph {
  /** Returns an object; null if it does not exist or the credentials may not read it. Throws a `SourceFault`. */
  get(path: string): Promise<JsonObject | null>;
  /** Returns a page of a list; null if it does not exist, is not accessible, or its position is no longer known. */
  page(path: string): Promise<GraphPage | null>;
  /** Downloads a file; null if it no longer exists. */
  content(path: string, sizeBytes: number): Promise<Uint8Array | null>;
}

export interface GraphPage {
  readonly rows: readonly JsonObject[];
  /** Path of the next page; null at the end. */
  readonly next: string | null;
  /** Path of the changes after this page; null if the list continues or has none. */
  readonly delta: string | null;
}

/** Converts the address of a following page to its path. The token is sent to the configured address only. */
const pathOf = (page: JsonObject, name: string, root: string): string | null => {
  const url = textAt(page, name);
  if (url === '') return null;
  if (!url.startsWith(`${root}/`)) throw new SourceFault('busy', 'Microsoft returned the address of another service');
  return url.slice(root.length);
};

/** Returns an API client. Throws `token_expired` if the credentials have no token yet. */
export const openGraph = (
  get: PublicGet,
  { credentials, now }: Pick<StepInput, 'credentials' | 'now'>,
  address: string,
): Graph => {
  const token = textAt(credentials, 'token');
  if (token === '') throw new SourceFault('token_expired', 'Microsoft requires a token: connect it again');
  const root = `${address}/v1.0`;
  const headers = { authorization: `Bearer ${token}` };
  const request = { method: 'GET', headers, provider: 'Microsoft' } as const;
  const json = async (path: string, absentStatuses: readonly number[]): Promise<JsonObject | null> => {
    const limits = { maxBytes: maxPageBytes, followsRedirects: false, absentStatuses };
    const response = await get({ ...request, ...limits, url: `${root}${path}` }, now);
    if (response === null) return null;
    const body: unknown = JSON.parse(Buffer.from(response.bytes).toString());
    if (!isObject(body)) throw new SourceFault('busy', 'Microsoft returned no object');
    return body;
  };
  return {
    get: (path) => json(path, [400, 403, 404, 410]),
    page: async (path) => {
      const body = await json(path, [400, 403, 404, 410]);
      if (body === null) return null;
      const rows = Array.isArray(body['value']) ? body['value'].filter(isObject) : [];
      return { rows, next: pathOf(body, '@odata.nextLink', root), delta: pathOf(body, '@odata.deltaLink', root) };
    },
    content: async (path, sizeBytes) => {
      if (sizeBytes > maxFileBytes)
        throw new SourceFault('unreadable', `it has more than ${maxFileBytes / mebibyte} MiB, the maximum size`);
      const limits = { maxBytes: maxFileBytes, timeoutMs: downloadTimeoutMs, deniedStatuses: [400, 403, 409, 423] };
      // The redirect leads to an address that needs no token.
      const response = await get({ ...request, ...limits, url: `${root}${path}`, followsRedirects: true }, now);
      return response?.bytes ?? null;
    },
  };
};
