import { isDeepStrictEqual } from 'node:util';
import { contentVersion } from '../content-version.ts';
import { isObject, type Json } from '../../../kernel/json.ts';
import { valueAt } from './json-pointer.ts';
import { type ConnectorSource, failed, type SourceChange, SourceFault, type StepInput } from '../port.ts';
import { parseExactly } from './exact-json.ts';
import { addressOf, type Description, firstPage, keep, nextPage, type Onward, scalar } from './pages.ts';
import type { Ask, PublicGet } from '../public-http.ts';
import { fileNameOf } from '../read-text.ts';

const mebibyte = 1024 * 1024;
const pageBytes = 32 * mebibyte;
const fileBytes = 128 * mebibyte;
const longestIdBytes = 8_192;
/** Pages of one listing: one that leads in circles ends there. */
const mostPages = 100_000;

const authHeaders = (auth: Description['auth']): Readonly<Record<string, string>> => {
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

const readJson = (bytes: Uint8Array): Json => {
  try {
    return parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new SourceFault('refused', 'The list of the API is not JSON', { cause: error });
  }
};

const endingOf = (address: string): string => {
  const path = URL.canParse(address) ? new URL(address).pathname : '';
  return /\.[a-z0-9]{1,8}$/i.exec(path)?.[0] ?? '';
};

/** What an item says; null of an empty one, undefined where none of it is text. */
const textOf = (value: Json | undefined): string | null | undefined =>
  value === null || value === '' ? null : (scalar(value) ?? undefined);

type Fetch = (url: string) => Promise<Uint8Array | null>;

/** One item of the list; an item that is not as described is told of and left out. */
const changeOf = (description: Description, value: Json, at: number, page: number, fetchFile: Fetch): SourceChange => {
  const { item } = description;
  const read = (pointer: string | null): string | null => (pointer === null ? null : scalar(valueAt(value, pointer)));
  const externalId = isObject(value) ? read(item.id) : null;
  const place = `page ${page} item ${at}`;
  if (externalId === null) return failed(`Item ${at + 1} of a page has no id at \`item.id\``, { place });
  if (Buffer.byteLength(externalId) > longestIdBytes)
    return failed(`The id of item ${at + 1} of a page has more than ${longestIdBytes} bytes`, { place });
  const text = item.text === null ? null : textOf(valueAt(value, item.text));
  if (text === undefined) return failed(`Item ${externalId} has no text at \`item.text\``, { externalId });
  const fileUrl = read(item.file_url);
  if (item.file_url !== null && fileUrl === null)
    return failed(`Item ${externalId} has no address at \`item.file_url\``, { externalId });
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
  if (error instanceof SourceFault && (error.kind === 'refused' || error.kind === 'token_expired'))
    throw new SourceFault('unreadable', 'its file is refused', { cause: error });
  throw error;
};

/** The place of a page in the list is of no use any more; asked again for it, the API would say the same. */
const lostPlace = (cause: unknown): SourceFault =>
  new SourceFault(
    'refused',
    'The API does not go on with its list. Resume the connector to read it from its beginning',
    {
      forgetsPlace: true,
      cause,
    },
  );

/** Whatever is mended, only the beginning of such a list leads anywhere. */
const endless = (): SourceFault =>
  new SourceFault('refused', 'The list has no end: check `list.next`', { forgetsPlace: true });

/** A page of the list. Throws `refused` where there is none. */
const pageAt = async (get: PublicGet, ask: Ask, now: Date, isFirst: boolean): Promise<Json> => {
  const bytes = await get(ask, now).catch((error: unknown) => {
    throw !isFirst && error instanceof SourceFault && error.kind === 'refused' ? lostPlace(error) : error;
  });
  if (bytes !== null) return readJson(bytes);
  if (!isFirst) throw lostPlace(null);
  throw new SourceFault('refused', 'There is no list at the address: check `base_url` and `list.path`');
};

/** An API that a caller describes: its whole list, page by page, at every sync. A page is a step. */
export const customApiSource = (get: PublicGet): ConnectorSource => ({
  step: async ({ credentials, state, now }: StepInput) => {
    // Validated when the connection was made, and sealed since.
    const description = credentials as unknown as Description;
    // Kept by an earlier version, nothing was left out.
    const onward = state === null ? null : ({ given: [], ...state } as unknown as Onward);
    const url = onward === null ? firstPage(description) : addressOf(onward, description);
    const pages = (onward?.pages ?? 0) + 1;
    if (pages > mostPages) throw endless();
    const headers = { accept: 'application/json', ...headersFor(url, description) };
    const { method } = description.list;
    const ask = { url, method, headers, maxBytes: pageBytes, followsRedirects: false };
    const page = await pageAt(get, ask, now, onward === null);
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
    const changes = (items as readonly Json[]).map((item, at) => changeOf(description, item, at, pages, fetchFile));
    const after = next === null ? null : keep(next, description, pages);
    if (isDeepStrictEqual(after, keep(url, description, pages))) throw endless();
    return { changes, state: after, done: next === null, removesUnseen: next === null };
  },
});
