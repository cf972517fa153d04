import { isFailing, isInvalid, isOutOfReach, notionFault } from './client.ts';
import { type Entry, type Found, isGone, plainId, type Reading } from './entry.ts';
import { readPage } from './page.ts';
import { readDatabase, readDataSource, withoutCursor } from './data-source.ts';
import { failed, isStuck, type SourceChange } from '../port.ts';

const readers = { page: readPage, data_source: readDataSource, database: readDatabase };

const nameOf = ({ kind, id }: Entry): string => `${kind.replace('_', ' ')} ${id}`;

/** Whether an object exists although Notion does not list it. */
const exists = async ({ client }: Reading, { kind, id }: Pick<Entry, 'kind' | 'id'>): Promise<boolean> => {
  if (kind === 'database') return false;
  try {
    const thing =
      kind === 'page'
        ? await client.pages.retrieve({ page_id: id })
        : await client.dataSources.retrieve({ data_source_id: id });
    return !isGone(thing);
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
    return false;
  }
};

/** Reports an entry that could not be read. Its document and those below it stay. */
const unreadEntry = (entry: Entry, why: string, isTransient: boolean): Found => {
  const externalId = entry.kind === 'page' ? plainId(entry.id) : null;
  const message = `${why}: it and the pages below it stay unchanged until it can be read`;
  return { changes: [failed(message, { externalId, isTransient })], entries: [], isShut: true };
};

/** Reports an entry with content that Notion's API does not support, such as a Notion AI block. */
const notListed = (entry: Entry): Found =>
  unreadEntry(
    entry,
    `Notion hides the ${nameOf(entry)} from integrations, possibly because of a Notion AI block`,
    false,
  );

/** Reports an entry that is too long to be read between two rate limits. */
export const tooLong = (entry: Entry): Found =>
  unreadEntry(entry, `The ${nameOf(entry)} is longer than Notion's rate limit allows to read`, true);

/** Skips an entry at which Notion fails. Throws if Notion fails at everything. */
const skipEntry = async ({ client }: Reading, entry: Entry): Promise<Found> => {
  await client.search({ page_size: 1 });
  return unreadEntry(entry, `Notion fails at the ${nameOf(entry)}`, true);
};

/** Reads an id of the scope as a database, as in a database's URL; null if there is none. */
const asDatabase = (reading: Reading, entry: Entry): Promise<Found | null> =>
  readDatabase(reading, entry).catch((error: unknown) => {
    if (!isOutOfReach(error)) throw error;
    return null;
  });

/** Reads an entry. Throws if it cannot be read for now. */
export const readEntry = async (reading: Reading, entry: Entry): Promise<Found> => {
  try {
    return await readers[entry.kind](reading, entry);
  } catch (error) {
    if (isFailing(error) && isStuck(reading.input)) return skipEntry(reading, entry);
    if (!isOutOfReach(error)) throw error;
    if (entry.cursor !== null && isInvalid(error)) return withoutCursor(entry);
    if (isInvalid(error) && (await exists(reading, entry))) return notListed(entry);
    // A nested object that is not accessible was moved or deleted during the sync.
    if (entry.id !== entry.root) return { changes: [], entries: [] };
    const found = await asDatabase(reading, entry);
    if (found !== null) return found;
    return {
      changes: [failed(`The ${nameOf(entry)} is not accessible: share it with the integration in Notion`)],
      entries: [],
    };
  }
};

/** Position of the check of indexed pages: ids with a smaller first digit, and ids up to `after`, are done. */
export interface Search {
  readonly digit: number;
  readonly after: string | null;
}

const digits = 16;
const pagesAtOnce = 50;

/** Whether a page exists, as far as Notion reports. */
const isKept = async (reading: Reading, id: string): Promise<boolean> => {
  try {
    return await exists(reading, { kind: 'page', id });
  } catch (error) {
    if (!isFailing(error)) throw error;
    return true;
  }
};

/**
 * Checks indexed pages one by one, since those below an unread entry are unknown. Existing pages are kept.
 * `next` is null when all are checked.
 */
export const checkKnownPages = async (
  reading: Reading,
  { digit, after }: Search,
): Promise<{ readonly changes: readonly SourceChange[]; readonly next: Search | null }> => {
  const ids = (await reading.input.known(digit.toString(digits), after)).slice(0, pagesAtOnce);
  const changes: SourceChange[] = [];
  let last: string | null = null;
  for (const id of ids) {
    try {
      // The id of a file begins with that of its page.
      const [page = id] = id.split(':');
      if (await isKept(reading, page)) changes.push({ kind: 'kept', externalId: id });
      last = id;
    } catch (error) {
      if (last === null || notionFault(error, reading.input.now).retryAfterSeconds === null) throw error;
      return { changes, next: { digit, after: last } };
    }
  }
  if (ids.length === pagesAtOnce) return { changes, next: { digit, after: last } };
  return { changes, next: digit + 1 < digits ? { digit: digit + 1, after: null } : null };
};
