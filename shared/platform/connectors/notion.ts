import type { JsonObject } from '../../kernel/json.ts';
import { isInvalid, isOutOfReach, notionClient, notionFault } from './notion-client.ts';
import { type Entry, type Found, isGone, plainId, type Reading, unread } from './notion-entry.ts';
import { readPage } from './notion-page.ts';
import { readDatabase, readDataSource, withoutCursor } from './notion-rows.ts';
import { type ConnectorSource, failed, SourceFault, type Step, type StepInput } from './port.ts';
import { textAt } from './read-text.ts';

/** As much as pages may make wait, in bytes of JSON; a record has room for little more. */
const mostWaitingBytes = 256 * 1024;
/** How late Notion's search may know of an edit. */
const searchLagMs = 10 * 60_000;

interface Place {
  readonly startedAt: string;
  readonly waiting: readonly Entry[];
  /** Whether something was not listed: then nobody knows what has gone. */
  readonly isShut?: boolean;
}

const rootsOf = ({ scope }: StepInput): readonly Entry[] => {
  const entry = (kind: Entry['kind']) => (id: string) => ({ kind, id, root: id, trail: '', ...unread });
  return [...scope.notion_data_sources.map(entry('data_source')), ...scope.notion_pages.map(entry('page'))];
};

const readers = { page: readPage, data_source: readDataSource, database: readDatabase };

/** Whether what Notion does not list is there all the same. */
const isThere = async ({ client }: Reading, { kind, id }: Entry): Promise<boolean> => {
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

/** What its API does not support, such as a block of Notion AI, makes Notion refuse all that is beside it. */
const shut = ({ kind, id }: Entry): Found => {
  const message = `Notion does not give the ${kind.replace('_', ' ')} ${id} to integrations, perhaps because of a block of Notion AI in it: it stays as it was, and nothing is removed until it can be read`;
  return { changes: [failed(message, { externalId: plainId(id) })], entries: [], isShut: true };
};

const read = async (reading: Reading, entry: Entry): Promise<Found> => {
  try {
    return await readers[entry.kind](reading, entry);
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
    if (entry.cursor !== null && isInvalid(error)) return withoutCursor(entry);
    if (isInvalid(error) && (await isThere(reading, entry))) return shut(entry);
    // What is inside a page and can't be reached has been moved or taken away while the sync was under way.
    if (entry.id !== entry.root) return { changes: [], entries: [] };
    const message = `The ${entry.kind.replace('_', ' ')} ${entry.id} is out of reach: share it with the integration in Notion`;
    return { changes: [failed(message)], entries: [] };
  }
};

/** What was found, as far as there is room for it beside what waits. Only a page may hold any number of others. */
const fitting = (found: Found, waiting: readonly Entry[], { kind, id }: Entry): Found => {
  if (kind !== 'page') return found;
  let bytes = Buffer.byteLength(JSON.stringify(waiting));
  const entries = found.entries.filter((entry) => {
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
    return bytes <= mostWaitingBytes;
  });
  const missing = found.entries.length - entries.length;
  if (missing === 0) return found;
  const message = `The page ${id} holds ${missing} pages more than can be read: move them into a database`;
  return { ...found, changes: [...found.changes, failed(message)], entries };
};

/** Whether anything that the integration can see was edited since; deletions are not told of. */
const isEditedSince = async ({ client }: Reading, at: string): Promise<boolean> => {
  const { results } = await client.search({
    sort: { timestamp: 'last_edited_time', direction: 'descending' },
    page_size: 1,
  });
  const last = textAt(results[0] ?? {}, 'last_edited_time');
  return last !== '' && Date.parse(last) >= Date.parse(at) - searchLagMs;
};

const step = async (reading: Reading): Promise<Step> => {
  const { state, now } = reading.input;
  const walkedAt = state?.['walked_at'];
  if (typeof walkedAt === 'string') {
    if (await isEditedSince(reading, walkedAt)) throw new SourceFault('state_lost', 'Notion was edited');
    return { changes: [], state, done: true, sweep: false };
  }
  const place: Place = (state as unknown as Place | null) ?? {
    startedAt: now.toISOString(),
    waiting: rootsOf(reading.input),
  };
  const last = place.waiting.at(-1);
  if (last === undefined)
    return { changes: [], state: { walked_at: place.startedAt }, done: true, sweep: place.isShut !== true };
  // Kept by an earlier version, it may lack what data sources have.
  const entry = { ...unread, ...last };
  const others = place.waiting.slice(0, -1);
  const { changes, entries, isShut = false } = fitting(await read(reading, entry), others, entry);
  const waiting = [...others, ...entries];
  // Interfaces are no JSON objects to the compiler.
  const after = { ...place, waiting, isShut: isShut || place.isShut === true } as unknown as JsonObject;
  return { changes, state: after, done: false, sweep: false };
};

/**
 * Notion: each page is a document of Markdown, with all pages below those of the scope and all rows of its data sources.
 * Notion tells of edits but neither where in the tree they are nor of deletions, so a sync walks the whole tree, unless
 * nothing was edited at all.
 */
export const notionSource = (baseUrl: string): ConnectorSource => ({
  step: async (input: StepInput) => {
    try {
      return await step({ client: notionClient(textAt(input.credentials, 'token'), baseUrl), input });
    } catch (error) {
      throw notionFault(error, input.now);
    }
  },
});
