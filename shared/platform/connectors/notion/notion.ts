import { minuteMs } from '../../../kernel/durations.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import { notionChoices } from './choices.ts';
import { notionClient, notionFault } from './client.ts';
import { type Entry, type Found, type Reading, unread } from './entry.ts';
import { checkKnownPages, readEntry, type Search, tooLong } from './read-entry.ts';
import { pack, unpack } from '../packed-state.ts';
import { type ConnectorSource, failed, SourceFault, type Step, type StepInput } from '../port.ts';
import type { PublicGet } from '../public-http.ts';
import { textAt } from '../read-text.ts';

/** Maximum bytes of JSON of waiting entries; a record can store little more. */
const maxPendingBytes = 256 * 1024;
/** Maximum bytes of JSON including a partly read page. */
const maxStateBytes = 320 * 1024;
/** Maximum delay of Notion's search after an edit. */
const searchLagMs = 10 * minuteMs;

interface Place {
  readonly startedAt: string;
  readonly waiting: readonly Entry[];
  /** Whether an object was not listed, so that its contents are unknown. */
  readonly isShut?: boolean;
  /** Compressed blocks of the next page that were listed so far. */
  readonly part?: string;
  /** Position in the check of indexed pages, which ends a sync in which something was not listed. */
  readonly search?: Search;
}

const rootsOf = ({ scope }: StepInput): readonly Entry[] => {
  const entry = (kind: Entry['kind']) => (id: string) => ({ kind, id, root: id, trail: '', ...unread });
  return [...scope.notion_data_sources.map(entry('data_source')), ...scope.notion_pages.map(entry('page'))];
};

/** Limits entries to the size of the state. Only a page can contain any number of others. */
const fitting = (found: Found, waiting: readonly Entry[], { kind, id }: Entry): Found => {
  if (kind !== 'page') return found;
  let bytes = Buffer.byteLength(JSON.stringify(waiting));
  const entries = found.entries.filter((entry) => {
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
    return bytes <= maxPendingBytes;
  });
  const missing = found.entries.length - entries.length;
  if (missing === 0) return found;
  const message = `The page ${id} has ${missing} more pages than can be read: move them into a database`;
  return { ...found, changes: [...found.changes, failed(message)], entries };
};

/** Whether any visible page was edited since a time. Deletions are not reported. */
const isEditedSince = async ({ client }: Reading, at: string): Promise<boolean> => {
  const { results } = await client.search({
    sort: { timestamp: 'last_edited_time', direction: 'descending' },
    page_size: 1,
  });
  const last = textAt(results[0] ?? {}, 'last_edited_time');
  return last !== '' && Date.parse(last) >= Date.parse(at) - searchLagMs;
};

// TypeScript does not treat interfaces as JSON objects.
const stepTo = (place: Place, changes: Step['changes']): Step => ({
  changes,
  state: place as unknown as JsonObject,
  done: false,
  removesUnseen: false,
});

/** Stores the listed part of a page after a rate limit, so that its reading continues. */
const interrupted = (reading: Reading, entry: Entry, place: Place): Found | { readonly part: string } => {
  const room = maxStateBytes - Buffer.byteLength(JSON.stringify({ ...place, part: '' }));
  const part = pack([...reading.lists], room);
  return part === null ? tooLong(entry) : { part };
};

/** Reads the next entry. Returns its listed part if a rate limit interrupts it. */
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

const walk = async (reading: Reading, place: Place, entry: Entry): Promise<Step> => {
  const found = await readNext(reading, place, entry);
  if ('part' in found) return stepTo({ ...place, part: found.part }, []);
  const others = place.waiting.slice(0, -1);
  const { changes, entries, isShut = false } = fitting(found, others, entry);
  const { startedAt } = place;
  return stepTo({ startedAt, waiting: [...others, ...entries], isShut: isShut || place.isShut === true }, changes);
};

/** Ends a walk, after which all removed pages are known. */
const end = async (reading: Reading, place: Place): Promise<Step> => {
  const done = { changes: [], state: { walked_at: place.startedAt }, done: true, removesUnseen: true } as const;
  if (place.isShut !== true) return done;
  const { changes, next } = await checkKnownPages(reading, place.search ?? { digit: 0, after: null });
  return next === null ? { ...done, changes } : stepTo({ ...place, search: next }, changes);
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
 * Source of Notion: each page is a Markdown document, with all pages below those of the scope and all rows of its data
 * sources.
 * Notion reports that something was edited, but neither where nor deletions. A sync therefore walks the whole tree
 * unless nothing
 * was edited.
 */
export const notionSource = (baseUrl: string, files: PublicGet): ConnectorSource => ({
  step: async (input: StepInput) => {
    try {
      const place = input.state as unknown as Place | null;
      const lists = new Map(place?.part === undefined ? [] : (unpack(place.part) as [string, JsonObject[]][]));
      const client = notionClient(textAt(input.credentials, 'token'), baseUrl);
      return await step({ client, input, files, lists }, place);
    } catch (error) {
      throw notionFault(error, input.now);
    }
  },
  choices: (input) => notionChoices(baseUrl, input),
});
