import { isFailing, isInvalid, isOutOfReach, notionFault } from './client.ts';
import { type Entry, type Found, isGone, plainId, type Reading } from './entry.ts';
import { readPage } from './page.ts';
import { readDatabase, readDataSource, withoutCursor } from './data-source.ts';
import { failed, isStuck, type SourceChange } from '../port.ts';

const readers = { page: readPage, data_source: readDataSource, database: readDatabase };

const nameOf = ({ kind, id }: Entry): string => `${kind.replace('_', ' ')} ${id}`;

/** Whether what Notion does not list is there all the same. */
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

/** What can't be read stays as it was, and nobody knows what is below it. */
const unreadEntry = (entry: Entry, why: string, passing: boolean): Found => {
  const externalId = entry.kind === 'page' ? plainId(entry.id) : null;
  const message = `${why}: it stays as it was, with what is below it, until it can be read`;
  return { changes: [failed(message, { externalId, passing })], entries: [], isShut: true };
};

/** What its API does not support, such as a block of Notion AI, makes Notion refuse all that is beside it. */
const notListed = (entry: Entry): Found =>
  unreadEntry(
    entry,
    `Notion does not give the ${nameOf(entry)} to integrations, perhaps because of a block of Notion AI in it`,
    false,
  );

/** What is too long to be read between two times that Notion asks for patience. */
export const tooLong = (entry: Entry): Found =>
  unreadEntry(entry, `The ${nameOf(entry)} is longer than Notion lets be read at a time`, true);

/** Reads on where Notion fails at this alone; throws where it fails at everything. */
const skipEntry = async ({ client }: Reading, entry: Entry): Promise<Found> => {
  await client.search({ page_size: 1 });
  return unreadEntry(entry, `Notion fails at the ${nameOf(entry)}`, true);
};

/** What the scope names by the id of a database, which is the one in its address; null where there is none. */
const asDatabase = (reading: Reading, entry: Entry): Promise<Found | null> =>
  readDatabase(reading, entry).catch((error: unknown) => {
    if (!isOutOfReach(error)) throw error;
    return null;
  });

/** What an entry comes to. Throws where nothing of it can be read for now. */
export const readEntry = async (reading: Reading, entry: Entry): Promise<Found> => {
  try {
    return await readers[entry.kind](reading, entry);
  } catch (error) {
    if (isFailing(error) && isStuck(reading.input)) return skipEntry(reading, entry);
    if (!isOutOfReach(error)) throw error;
    if (entry.cursor !== null && isInvalid(error)) return withoutCursor(entry);
    if (isInvalid(error) && (await exists(reading, entry))) return notListed(entry);
    // What is inside a page and can't be reached has been moved or taken away while the sync was under way.
    if (entry.id !== entry.root) return { changes: [], entries: [] };
    const found = await asDatabase(reading, entry);
    if (found !== null) return found;
    return {
      changes: [failed(`The ${nameOf(entry)} is out of reach: share it with the integration in Notion`)],
      entries: [],
    };
  }
};

/** Which of the pages that the index has were looked for: those whose id begins with a lesser digit, and up to `after`. */
export interface Search {
  readonly digit: number;
  readonly after: string | null;
}

const digits = 16;
const pagesAtOnce = 50;

/** Whether a page is there, as far as Notion can tell. */
const isKept = async (reading: Reading, id: string): Promise<boolean> => {
  try {
    return await exists(reading, { kind: 'page', id });
  } catch (error) {
    if (!isFailing(error)) throw error;
    return true;
  }
};

/**
 * Looks for pages that the index has one by one, since nobody knows which of them are below what could not be read. What is
 * still there is kept; `next` is null when all have been looked for.
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
      if (await isKept(reading, id)) changes.push({ kind: 'kept', externalId: id });
      last = id;
    } catch (error) {
      if (last === null || notionFault(error, reading.input.now).retryAfterSeconds === null) throw error;
      return { changes, next: { digit, after: last } };
    }
  }
  if (ids.length === pagesAtOnce) return { changes, next: { digit, after: last } };
  return { changes, next: digit + 1 < digits ? { digit: digit + 1, after: null } : null };
};
