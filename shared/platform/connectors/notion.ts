import { contentVersion } from './content-version.ts';
import type { Client } from '@notionhq/client';
import type { JsonObject } from '../../kernel/json.ts';
import { isOutOfReach, notionClient, notionFault } from './notion-client.ts';
import { type BlockTree, propertyLines, titleOf, toMarkdown } from './notion-markdown.ts';
import { type ConnectorSource, type SourceChange, SourceFault, type Step, type StepInput } from './port.ts';
import { fileNameOf, textAt } from './read-text.ts';

const pageSize = 100;
/** Rows of a data source that wait to be read at a time. */
const rowsAtOnce = 25;
/** How deep blocks are nested at most, as people see them. */
const mostDepth = 12;
/** As much as pages may make wait, in bytes of JSON; a record has room for little more. */
const mostWaitingBytes = 256 * 1024;
/** How late Notion's search may know of an edit. */
const searchLagMs = 10 * 60_000;

/** What is still to be read, the next one last. */
interface Entry {
  readonly kind: 'page' | 'data_source' | 'database';
  readonly id: string;
  /** The page or data source of the scope in which it lies. */
  readonly root: string;
  /** Titles of the pages above it. */
  readonly trail: string;
  /** Where the rows of a data source go on. */
  readonly cursor: string | null;
}

interface Place {
  readonly startedAt: string;
  readonly waiting: readonly Entry[];
}

interface Reading {
  readonly client: Client;
  readonly input: StepInput;
}

const plainId = (id: string): string => id.replaceAll('-', '').toLowerCase();

const rootsOf = ({ scope }: StepInput): readonly Entry[] => {
  const entry = (kind: Entry['kind']) => (id: string) => ({ kind, id, root: id, trail: '', cursor: null });
  return [...scope.notion_data_sources.map(entry('data_source')), ...scope.notion_pages.map(entry('page'))];
};

const childrenOf = async ({ client }: Reading, blockId: string): Promise<readonly JsonObject[]> => {
  const blocks: JsonObject[] = [];
  let cursor: string | null = null;
  do {
    const page = await client.blocks.children.list({
      block_id: blockId,
      page_size: pageSize,
      ...(cursor === null ? {} : { start_cursor: cursor }),
    });
    // The SDK's types are a union of some forty shapes, of which few fields are read.
    blocks.push(...(page.results as unknown as readonly JsonObject[]));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return blocks;
};

const subpages: ReadonlySet<string> = new Set(['child_page', 'child_database']);

const readBlocks = async (reading: Reading, blockId: string, depth = 0): Promise<readonly BlockTree[]> => {
  const trees: BlockTree[] = [];
  for (const block of await childrenOf(reading, blockId)) {
    const nested = block['has_children'] === true && !subpages.has(textAt(block, 'type')) && depth < mostDepth;
    trees.push({ block, children: nested ? await readBlocks(reading, textAt(block, 'id'), depth + 1) : [] });
  }
  return trees;
};

const flat = (trees: readonly BlockTree[]): readonly JsonObject[] =>
  trees.flatMap(({ block, children }) => [block, ...flat(children)]);

/** Pages and databases inside a page, but for those that the scope names by themselves. */
const entriesIn = (trees: readonly BlockTree[], { root }: Entry, trail: string, input: StepInput): readonly Entry[] => {
  const named = new Set(input.scope.notion_pages.map(plainId));
  return flat(trees).flatMap((block) => {
    const id = textAt(block, 'id');
    const type = textAt(block, 'type');
    if (!subpages.has(type) || named.has(plainId(id))) return [];
    return [{ kind: type === 'child_page' ? 'page' : 'database', id, root, trail, cursor: null } as const];
  });
};

const isGone = (thing: JsonObject): boolean => thing['in_trash'] === true || thing['archived'] === true;

const itemOf = (page: JsonObject, markdown: string, { id, root, trail }: Entry, input: StepInput): SourceChange => {
  const title = titleOf(page);
  const label = input.scope.notion_labels[root];
  const text = [`# ${title === '' ? 'Untitled' : title}`, propertyLines(page), markdown]
    .filter((part) => part !== '')
    .join('\n\n');
  return {
    kind: 'upsert',
    item: {
      externalId: plainId(id),
      version: contentVersion(text),
      filename: fileNameOf(title, '.md'),
      contentType: 'text/markdown',
      content: () => Promise.resolve(new TextEncoder().encode(text)),
      title: title === '' ? null : title,
      url: textAt(page, 'url') || null,
      metadata: { ...(label === undefined ? {} : { label }), ...(trail === '' ? {} : { folder: trail }) },
    },
  };
};

interface Found {
  readonly changes: readonly SourceChange[];
  readonly entries: readonly Entry[];
}

const readPage = async (reading: Reading, entry: Entry): Promise<Found> => {
  const page = (await reading.client.pages.retrieve({ page_id: entry.id })) as unknown as JsonObject;
  if (isGone(page)) return { changes: [], entries: [] };
  const trees = await readBlocks(reading, entry.id);
  const title = titleOf(page);
  const trail = [entry.trail, title].filter((part) => part !== '').join(' / ');
  return {
    changes: [itemOf(page, toMarkdown(trees), entry, reading.input)],
    entries: entriesIn(trees, entry, trail, reading.input),
  };
};

const readDataSource = async ({ client, input }: Reading, entry: Entry): Promise<Found> => {
  const { results, next_cursor: cursor } = await client.dataSources.query({
    data_source_id: entry.id,
    page_size: rowsAtOnce,
    ...(entry.cursor === null ? {} : { start_cursor: entry.cursor }),
  });
  const named = new Set(input.scope.notion_pages.map(plainId));
  const rows = results.filter(({ object, id }) => object === 'page' && !named.has(plainId(id)));
  const pages = rows.map(({ id }) => ({ ...entry, kind: 'page', id, cursor: null }) as const);
  return { changes: [], entries: [...(cursor === null ? [] : [{ ...entry, cursor }]), ...pages] };
};

const readDatabase = async ({ client, input }: Reading, entry: Entry): Promise<Found> => {
  const database = await client.databases.retrieve({ database_id: entry.id });
  if (!('data_sources' in database) || isGone(database)) return { changes: [], entries: [] };
  const named = new Set(input.scope.notion_data_sources.map(plainId));
  const sources = database.data_sources.filter(({ id }) => !named.has(plainId(id)));
  return { changes: [], entries: sources.map(({ id }) => ({ ...entry, kind: 'data_source', id }) as const) };
};

const readers = { page: readPage, data_source: readDataSource, database: readDatabase };

const read = async (reading: Reading, entry: Entry): Promise<Found> => {
  try {
    return await readers[entry.kind](reading, entry);
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
    // What is inside a page and can't be reached has been moved or taken away while the sync was under way.
    if (entry.id !== entry.root) return { changes: [], entries: [] };
    const message = `The ${entry.kind.replace('_', ' ')} ${entry.id} is out of reach: share it with the integration in Notion`;
    return { changes: [{ kind: 'failed', externalId: null, message, passing: false }], entries: [] };
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
  return { changes: [...found.changes, { kind: 'failed', externalId: null, message, passing: false }], entries };
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
  const place = (state as unknown as Place | null) ?? {
    startedAt: now.toISOString(),
    waiting: rootsOf(reading.input),
  };
  const entry = place.waiting.at(-1);
  if (entry === undefined) return { changes: [], state: { walked_at: place.startedAt }, done: true, sweep: true };
  const others = place.waiting.slice(0, -1);
  const { changes, entries } = fitting(await read(reading, entry), others, entry);
  // Interfaces are no JSON objects to the compiler.
  const after = { startedAt: place.startedAt, waiting: [...others, ...entries] } as unknown as JsonObject;
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
