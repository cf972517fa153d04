import { minuteMs } from '../../../kernel/durations.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import { notionClient, notionFault } from './client.ts';
import { type Entry, type Found, type Reading, unread } from './entry.ts';
import { checkKnownPages, readEntry, type Search, tooLong } from './read-entry.ts';
import { pack, unpack } from '../packed-state.ts';
import { type ConnectorSource, failed, SourceFault, type Step, type StepInput } from '../port.ts';
import { textAt } from '../read-text.ts';

/** As much as pages may make wait, in bytes of JSON; a record has room for little more. */
const maxPendingBytes = 256 * 1024;
/** The same with what is kept of a page that is half read. */
const maxStateBytes = 320 * 1024;
/** How late Notion's search may know of an edit. */
const searchLagMs = 10 * minuteMs;

interface Place {
  readonly startedAt: string;
  readonly waiting: readonly Entry[];
  /** Whether something was not listed: then nobody knows what is below it. */
  readonly isShut?: boolean;
  /** What has been listed of the page that is next, packed. */
  readonly part?: string;
  /** After all else where something was not listed: how far the pages that the index has were looked for. */
  readonly search?: Search;
}

const rootsOf = ({ scope }: StepInput): readonly Entry[] => {
  const entry = (kind: Entry['kind']) => (id: string) => ({ kind, id, root: id, trail: '', ...unread });
  return [...scope.notion_data_sources.map(entry('data_source')), ...scope.notion_pages.map(entry('page'))];
};

/** What was found, as far as there is room for it beside what waits. Only a page may hold any number of others. */
const fitting = (found: Found, waiting: readonly Entry[], { kind, id }: Entry): Found => {
  if (kind !== 'page') return found;
  let bytes = Buffer.byteLength(JSON.stringify(waiting));
  const entries = found.entries.filter((entry) => {
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
    return bytes <= maxPendingBytes;
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

// Interfaces are no JSON objects to the compiler.
const goOn = (place: Place, changes: Step['changes']): Step => ({
  changes,
  state: place as unknown as JsonObject,
  done: false,
  removesUnseen: false,
});

/** Keeps what was listed of a page before Notion asked for patience, so that the page is read to its end all the same. */
const interrupted = (reading: Reading, entry: Entry, place: Place): Found | { readonly part: string } => {
  const room = maxStateBytes - Buffer.byteLength(JSON.stringify({ ...place, part: '' }));
  const part = pack([...reading.lists], room);
  return part === null ? tooLong(entry) : { part };
};

/** Reads what is next; what was listed of it if Notion asks for patience meanwhile. */
const readNext = async (reading: Reading, place: Place, entry: Entry) => {
  const listed = reading.lists.size;
  try {
    return await readEntry(reading, entry);
  } catch (error) {
    const isNewer = reading.lists.size > listed;
    if (!isNewer || notionFault(error, reading.input.now).retryAfterSeconds === null) throw error;
    return interrupted(reading, entry, place);
  }
};

const walk = async (reading: Reading, place: Place, last: Entry): Promise<Step> => {
  // Kept by an earlier version, it may lack what data sources have.
  const entry = { ...unread, ...last };
  const found = await readNext(reading, place, entry);
  if ('part' in found) return goOn({ ...place, part: found.part }, []);
  const others = place.waiting.slice(0, -1);
  const { changes, entries, isShut = false } = fitting(found, others, entry);
  const { startedAt } = place;
  return goOn({ startedAt, waiting: [...others, ...entries], isShut: isShut || place.isShut === true }, changes);
};

/** The end of a walk, where all that has gone is known. */
const end = async (reading: Reading, place: Place): Promise<Step> => {
  const done = { changes: [], state: { walked_at: place.startedAt }, done: true, removesUnseen: true } as const;
  if (place.isShut !== true) return done;
  const { changes, next } = await checkKnownPages(reading, place.search ?? { digit: 0, after: null });
  return next === null ? { ...done, changes } : goOn({ ...place, search: next }, changes);
};

const step = async (reading: Reading, place: Place | null): Promise<Step> => {
  const { state, now } = reading.input;
  const walkedAt = state?.['walked_at'];
  if (typeof walkedAt === 'string') {
    if (await isEditedSince(reading, walkedAt)) throw new SourceFault('state_lost', 'Notion was edited');
    return { changes: [], state, done: true, removesUnseen: false };
  }
  const at = place ?? { startedAt: now.toISOString(), waiting: rootsOf(reading.input) };
  const last = at.waiting.at(-1);
  return last === undefined ? end(reading, at) : walk(reading, at, last);
};

/**
 * Notion: each page is a document of Markdown, with all pages below those of the scope and all rows of its data sources.
 * Notion tells of edits but neither where in the tree they are nor of deletions, so a sync walks the whole tree, unless
 * nothing was edited at all.
 */
export const notionSource = (baseUrl: string): ConnectorSource => ({
  step: async (input: StepInput) => {
    try {
      const place = input.state as unknown as Place | null;
      const lists = new Map(place?.part === undefined ? [] : (unpack(place.part) as [string, JsonObject[]][]));
      const client = notionClient(textAt(input.credentials, 'token'), baseUrl);
      return await step({ client, input, lists }, place);
    } catch (error) {
      throw notionFault(error, input.now);
    }
  },
});
