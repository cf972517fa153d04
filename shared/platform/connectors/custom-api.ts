import { contentVersion } from './content-version.ts';
import { isObject, type Json } from '../../kernel/json.ts';
import { valueAt } from './json-pointer.ts';
import { type ConnectorSource, type SourceChange, SourceFault, type StepInput } from './port.ts';
import type { PublicGet } from './public-http.ts';
import { fileNameOf } from './read-text.ts';

type Auth =
  | { readonly type: 'none' }
  | { readonly type: 'bearer'; readonly token: string }
  | { readonly type: 'basic'; readonly username: string; readonly password: string }
  | { readonly type: 'header'; readonly name: string; readonly value: string };

/** What the caller said of the API, as it was validated when the connection was made. */
interface Description {
  readonly base_url: string;
  readonly auth: Auth;
  readonly list: {
    readonly path: string;
    readonly method: 'GET' | 'POST';
    readonly query: Readonly<Record<string, string>>;
    readonly items: string;
    readonly next: string | null;
    readonly next_parameter: string | null;
  };
  readonly item: {
    readonly id: string;
    readonly title: string | null;
    readonly text: string | null;
    readonly file_url: string | null;
    readonly url: string | null;
    readonly updated_at: string | null;
  };
}

const mebibyte = 1024 * 1024;
const pageBytes = 32 * mebibyte;
const fileBytes = 128 * mebibyte;
/** Pages of one listing: one that leads in circles ends there. */
const mostPages = 100_000;

const authHeaders = (auth: Auth): Readonly<Record<string, string>> => {
  switch (auth.type) {
    case 'none':
      return {};
    case 'bearer':
      return { authorization: `Bearer ${auth.token}` };
    case 'basic':
      return { authorization: `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}` };
    case 'header':
      return { [auth.name]: auth.value };
  }
};

/** Credentials go to the API itself and to nobody else. */
const headersFor = (url: string, { base_url, auth }: Description): Readonly<Record<string, string>> =>
  URL.canParse(url) && new URL(url).origin === new URL(base_url).origin ? authHeaders(auth) : {};

const firstPage = ({ base_url, list }: Description): string => {
  const url = new URL(`${base_url.replace(/\/+$/, '')}${list.path}`);
  for (const [name, value] of Object.entries(list.query)) url.searchParams.set(name, value);
  return url.href;
};

const scalar = (value: Json | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null;

/** Address of the page after the one at `url`; null after the last. */
const nextPage = (description: Description, url: string, page: Json): string | null => {
  const { next, next_parameter: parameter } = description.list;
  const value = next === null ? null : scalar(valueAt(page, next));
  if (value === null) return null;
  if (parameter !== null) {
    const following = new URL(firstPage(description));
    following.searchParams.set(parameter, value);
    return following.href;
  }
  if (!URL.canParse(value, url))
    throw new SourceFault('refused', 'The address of the next page is none: check `list.next`');
  const following = new URL(value, url);
  if (following.origin !== new URL(description.base_url).origin)
    throw new SourceFault('refused', 'The next page is at another host: check `list.next`');
  return following.href;
};

const readJson = (bytes: Uint8Array): Json => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Json;
  } catch (error) {
    throw new SourceFault('refused', 'The list of the API is not JSON', { cause: error });
  }
};

const endingOf = (address: string): string => {
  const path = URL.canParse(address) ? new URL(address).pathname : '';
  return /\.[a-z0-9]{1,8}$/i.exec(path)?.[0] ?? '';
};

const failed = (message: string): SourceChange => ({ kind: 'failed', externalId: null, message, passing: false });

type Fetch = (url: string) => Promise<Uint8Array | null>;

/** One item of the list; an item that is not as described is told of and left out. */
const changeOf = (description: Description, value: Json, at: number, fetchFile: Fetch): SourceChange => {
  const { item } = description;
  const read = (pointer: string | null): string | null => (pointer === null ? null : scalar(valueAt(value, pointer)));
  const externalId = isObject(value) ? read(item.id) : null;
  if (externalId === null) return failed(`Item ${at + 1} of a page has no id at \`item.id\``);
  const text = read(item.text);
  const fileUrl = read(item.file_url);
  if (item.file_url !== null && fileUrl === null)
    return { ...failed(`Item ${externalId} has no address at \`item.file_url\``), externalId } as SourceChange;
  const title = read(item.title);
  const updatedAt = read(item.updated_at);
  const name = fileNameOf(title ?? externalId, fileUrl === null ? '.txt' : endingOf(fileUrl));
  return {
    kind: 'upsert',
    item: {
      externalId,
      // A file may be replaced at its address.
      version: updatedAt ?? (fileUrl === null ? contentVersion(JSON.stringify([text, fileUrl])) : null),
      filename: name,
      contentType: fileUrl === null ? 'text/plain' : 'application/octet-stream',
      content: () => (fileUrl === null ? Promise.resolve(new TextEncoder().encode(text ?? '')) : fetchFile(fileUrl)),
      title,
      url: read(item.url),
      metadata: {},
    },
  };
};

const asUnreadable = (error: unknown): never => {
  // A file that is refused says nothing of the API.
  if (error instanceof SourceFault && error.kind === 'refused')
    throw new SourceFault('unreadable', 'its file is refused', { cause: error });
  throw error;
};

/** An API that a caller describes: its whole list, page by page, at every sync. A page is a step. */
export const customApiSource = (get: PublicGet): ConnectorSource => ({
  step: async ({ credentials, state, now }: StepInput) => {
    // Validated when the connection was made, and sealed since.
    const description = credentials as unknown as Description;
    const url = (state?.['next'] as string | null | undefined) ?? firstPage(description);
    const pages = Number(state?.['pages'] ?? 0) + 1;
    if (pages > mostPages) throw new SourceFault('refused', 'The list has no end: check `list.next`');
    const headers = { accept: 'application/json', ...headersFor(url, description) };
    const { method } = description.list;
    const bytes = await get({ url, method, headers, maxBytes: pageBytes, followsRedirects: false }, now);
    if (bytes === null)
      throw new SourceFault('refused', 'There is no list at the address: check `base_url` and `list.path`');
    const page = readJson(bytes);
    const items = valueAt(page, description.list.items);
    if (!Array.isArray(items)) throw new SourceFault('refused', 'There is no list at `list.items`');
    const fetchFile: Fetch = (address) =>
      get(
        {
          url: address,
          method: 'GET',
          headers: headersFor(address, description),
          maxBytes: fileBytes,
          followsRedirects: true,
        },
        now,
      ).catch(asUnreadable);
    const next = nextPage(description, url, page);
    const changes = (items as readonly Json[]).map((item, at) => changeOf(description, item, at, fetchFile));
    const after = next === null ? null : { next, pages };
    return { changes, state: after, done: next === null, sweep: next === null };
  },
});
