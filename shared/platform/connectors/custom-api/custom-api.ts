import { isDeepStrictEqual } from 'node:util';
import { contentVersion } from '../content-version.ts';
import { laterBy } from '../../../kernel/clock.ts';
import { minuteMs } from '../../../kernel/durations.ts';
import { isObject, type Json, type JsonObject } from '../../../kernel/json.ts';
import { valueAt } from './json-pointer.ts';
import {
  type ConnectorSource,
  endlessListing,
  failed,
  type SourceChange,
  SourceFault,
  type Step,
  type StepInput,
} from '../port.ts';
import { parseExactly, TooManyValues } from './exact-json.ts';
import {
  addressOf,
  type Description,
  endStatuses,
  firstPage,
  keep,
  listingSince,
  nextPage,
  type Onward,
  type Rest,
  scalar,
} from './pages.ts';
import type { PublicRequest, PublicGet } from '../public-http.ts';
import { fileNameOf } from '../read-text.ts';
import { detectTextFormat, textFiles } from './text-format.ts';

const mebibyte = 1024 * 1024;
const pageBytes = 32 * mebibyte;
const fileBytes = 128 * mebibyte;
const maxIdBytes = 8_192;
/** Maximum items of one page, which are in memory until their step ends. */
const maxItems = 100_000;
/** Maximum pages of one listing, which ends a listing in a loop. */
const maxPages = 100_000;

const authHeaders = ({ auth, access_token: accessToken }: Description): Readonly<Record<string, string>> => {
  switch (auth.type) {
    case 'none':
      return {};
    case 'bearer':
      return { authorization: `Bearer ${auth.token}` };
    case 'basic':
      return { authorization: `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}` };
    case 'header':
      return { [auth.name]: auth.value };
    case 'oauth_client_credentials':
      return { authorization: `Bearer ${accessToken ?? ''}` };
  }
};

/** Returns the auth headers for URLs of the API; none for other hosts. */
const headersFor = (url: string, description: Description): Readonly<Record<string, string>> =>
  URL.canParse(url) && new URL(url).origin === new URL(description.base_url).origin ? authHeaders(description) : {};

const readJson = (bytes: Uint8Array): Json => {
  try {
    return parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof TooManyValues)
      throw new SourceFault('refused', 'A page of the list has too many values: reduce the number of items per page');
    throw new SourceFault('refused', 'The list of the API is not JSON', { cause: error });
  }
};

const endingOf = (address: string): string => {
  const path = URL.canParse(address) ? new URL(address).pathname : '';
  return /\.[a-z0-9]{1,8}$/i.exec(path)?.[0] ?? '';
};

/** Returns the text of an item; null if it is empty, undefined if it is no text. */
const textOf = (value: Json | undefined): string | null | undefined =>
  value === null || value === '' ? null : (scalar(value) ?? undefined);

const isPlain = (value: Json | undefined): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Maximum texts of a list in the metadata. */
const maxListed = 100;

/** Returns the metadata of an item. Values that metadata cannot have are left out. */
const metadataOf = (pointers: Readonly<Record<string, string>>, item: Json): JsonObject =>
  Object.fromEntries(
    Object.entries(pointers).flatMap(([name, pointer]): readonly (readonly [string, Json])[] => {
      const value = valueAt(item, pointer);
      if (isPlain(value)) return [[name, value]];
      if (!Array.isArray(value)) return [];
      const texts = (value as readonly Json[]).filter((one) => typeof one === 'string').slice(0, maxListed);
      return texts.length === 0 ? [] : [[name, texts]];
    }),
  );

type Fetch = (url: string) => Promise<Uint8Array | null>;

/** Converts an item to a change. An item that does not match the description is reported and left out. */
const changeOf = (description: Description, value: Json, at: number, page: number, fetchFile: Fetch): SourceChange => {
  const { item } = description;
  const read = (pointer: string | null): string | null => (pointer === null ? null : scalar(valueAt(value, pointer)));
  const externalId = isObject(value) ? read(item.id) : null;
  const place = `page ${page} item ${at}`;
  if (externalId === null) return failed(`Item ${at + 1} of a page has no id at \`item.id\``, { place });
  if (Buffer.byteLength(externalId) > maxIdBytes)
    return failed(`The id of item ${at + 1} of a page has more than ${maxIdBytes} bytes`, { place });
  const text = item.text === null ? null : textOf(valueAt(value, item.text));
  if (text === undefined) return failed(`Item ${externalId} has no text at \`item.text\``, { externalId });
  const fileUrl = read(item.file_url);
  if (item.file_url !== null && fileUrl === null)
    return failed(`Item ${externalId} has no address at \`item.file_url\``, { externalId });
  const title = read(item.title);
  const named = { externalId, title, url: read(item.url), metadata: metadataOf(item.metadata, value) };
  if (fileUrl !== null) {
    const file = {
      ...named,
      // A file may be replaced at its URL.
      version: read(item.updated_at),
      filename: fileNameOf(title ?? externalId, endingOf(fileUrl)),
      contentType: 'application/octet-stream',
      content: () => fetchFile(fileUrl),
    };
    return { kind: 'upsert', item: file };
  }
  const { ending, contentType } = textFiles[item.format ?? detectTextFormat(text ?? '')];
  const document = {
    ...named,
    // The version is a hash of the text, since some APIs change it without changing the update time.
    version: contentVersion(JSON.stringify([text, null])),
    filename: fileNameOf(title ?? externalId, ending),
    contentType,
    content: () => Promise.resolve(new TextEncoder().encode(text ?? '')),
  };
  return { kind: 'upsert', item: document };
};

/** Replaces further items with an id of the same page by a failure that names the id. */
const withoutRepeatedIds = (changes: readonly SourceChange[]): readonly SourceChange[] => {
  const seen = new Set<string>();
  return changes.map((change) => {
    if (change.kind !== 'upsert') return change;
    const { externalId } = change.item;
    if (!seen.has(externalId)) {
      seen.add(externalId);
      return change;
    }
    return failed(`${externalId}: its id occurs more than once; only the first item is indexed`, {
      place: `repeated ${externalId}`,
    });
  });
};

const asUnreadable = (error: unknown): never => {
  // A rejected file says nothing about the API.
  if (error instanceof SourceFault && (error.kind === 'refused' || error.kind === 'token_expired'))
    throw new SourceFault('unreadable', 'the API rejects the request for its file', { cause: error });
  throw error;
};

/** The position in the list is invalid, and a retry would fail again. */
const lostPlace = (cause: unknown): SourceFault =>
  new SourceFault(
    'refused',
    'The API rejects the next page of its list. Resume the connector to read it from the beginning',
    {
      forgetsPlace: true,
      cause,
    },
  );

/** Either the list has one page, which the API repeats, or the API ignores the parameter. */
const repeatedFirstPage = (): SourceChange =>
  failed(
    'The second page has the same items as the first. If the list has more items, check `list.pagination.parameter`',
  );

/** Fetches a page of the list. Null if its status means the end of the list. Throws `refused` if there is no list. */
const pageAt = async (get: PublicGet, ask: PublicRequest, now: Date, isFirst: boolean) => {
  const page = await get(ask, now).catch((error: unknown) => {
    throw !isFirst && error instanceof SourceFault && error.kind === 'refused' ? lostPlace(error) : error;
  });
  if (page !== null) return { body: readJson(page.bytes), link: page.link };
  if (!isFirst) {
    if (ask.absentStatuses !== undefined) return null;
    throw lostPlace(null);
  }
  throw new SourceFault('refused', 'There is no list at the address: check `base_url` and `list.path`');
};

/** The next listing repeats changes of this many milliseconds before the last one, since clocks differ. */
const overlapMs = 5 * minuteMs;

/** Returns the end of a listing, and where the next one begins. Changes alone do not show what was deleted. */
const endOf = ({ list }: Description, since: string | undefined, startedAt: string): Step => {
  if (list.updated_since === null) return { changes: [], state: null, done: true, removesUnseen: true };
  const rest: Rest = { since: laterBy(startedAt, -overlapMs).toISOString() };
  const isChanges = since !== undefined;
  return {
    changes: [],
    state: { ...rest },
    done: true,
    removesUnseen: !isChanges,
    ...(isChanges ? { isListing: false } : {}),
  };
};

const idsOf = (changes: readonly SourceChange[]): string =>
  contentVersion(
    JSON.stringify(changes.map((change) => (change.kind === 'upsert' ? change.item.externalId : change.externalId))),
  );

/** Returns the items of a page. Throws `refused` if it has no list, or too many items. */
const itemsOf = ({ list }: Description, body: Json): readonly Json[] => {
  const items = valueAt(body, list.items);
  if (!Array.isArray(items)) throw new SourceFault('refused', 'The response has no list at `list.items`');
  if (items.length <= maxItems) return items as readonly Json[];
  throw new SourceFault(
    'refused',
    `A page of the list has more than ${maxItems} items: reduce the number of items per page`,
  );
};

const fileFetcher =
  (get: PublicGet, description: Description, now: Date): Fetch =>
  async (address) => {
    const file = { url: address, method: 'GET', maxBytes: fileBytes, followsRedirects: true } as const;
    const response = await get({ ...file, headers: headersFor(address, description) }, now).catch(asUnreadable);
    return response?.bytes ?? null;
  };

/** Times that the position of a listing keeps, if the API can list changes. */
const timesOf = ({ list }: Description, since: string | undefined, startedAt: string) =>
  list.updated_since === null ? {} : { startedAt, ...(since === undefined ? {} : { since }) };

/** Source of a custom API: reads the whole list at every sync, one page for each step. */
export const customApiSource = (get: PublicGet): ConnectorSource => ({
  isListing: true,
  step: async ({ credentials, state, now }: StepInput) => {
    const known = state as unknown as Onward | Rest | null;
    // Validated when the connection was created, and sealed since.
    const description = listingSince(credentials as unknown as Description, known?.since);
    const onward = known !== null && 'next' in known ? known : null;
    const startedAt = onward?.startedAt ?? now.toISOString();
    const lastPage = endOf(description, known?.since, startedAt);
    const times = timesOf(description, known?.since, startedAt);
    const url = onward === null ? firstPage(description) : addressOf(onward, description);
    const pages = (onward?.pages ?? 0) + 1;
    if (pages > maxPages) throw endlessListing();
    const headers = { accept: 'application/json', ...headersFor(url, description) };
    const absentStatuses = onward === null ? undefined : endStatuses(description);
    const ask = {
      url,
      method: description.list.method,
      headers,
      maxBytes: pageBytes,
      followsRedirects: false,
      ...(absentStatuses === undefined ? {} : { absentStatuses }),
    };
    const page = await pageAt(get, ask, now, onward === null);
    if (page === null) return lastPage;
    const items = itemsOf(description, page.body);
    const fetchFile = fileFetcher(get, description, now);
    const next = nextPage(description, { url, ...page, items });
    const found = items.map((item, at) => changeOf(description, item, at, pages, fetchFile));
    const changes = withoutRepeatedIds(found);
    if (next === null) return { ...lastPage, changes };
    const after = { ...keep(next, description, pages), ...times };
    if (isDeepStrictEqual(keep(next, description, pages), keep(url, description, pages))) throw endlessListing();
    if (endStatuses(description) === undefined)
      return { ...lastPage, changes, state: after, done: false, removesUnseen: false };
    const ids = idsOf(found);
    // Some APIs return the last page again after the end.
    if (ids === onward?.ids) return { ...lastPage, changes: pages === 2 ? [repeatedFirstPage()] : [] };
    return { ...lastPage, changes, state: { ...after, ids }, done: false, removesUnseen: false };
  },
});
