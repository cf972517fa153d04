import type { Client } from '@notionhq/client';
import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { type Entry, type Found, isGone, namedIn, plainId, type Reading, unread } from './entry.ts';
import { failed } from '../port.ts';
import { textAt } from '../read-text.ts';

/** Rows of a data source for each request. */
const rowsAtOnce = 25;

type Rows = Awaited<ReturnType<Client['dataSources']['query']>>;

/**
 * Returns the next position of a data source. A query ends after 10,000 rows; the next one starts at the last creation
 * time.
 * Source: Notion, "Query a data source"; the SDK's `iterateAllDataSourceRows` does the same.
 */
const restOf = (entry: Entry, answer: Rows, reached: string | null): Found => {
  const { next_cursor: cursor, request_status: status } = answer;
  if (cursor !== null) return { changes: [], entries: [{ ...entry, cursor, reached }] };
  if (status?.type !== 'incomplete') return { changes: [], entries: [] };
  if (reached !== entry.from) return { changes: [], entries: [{ ...entry, from: reached, cursor: null, reached }] };
  const message = `The data source ${entry.id} has more rows created in one minute than Notion lists: some are left out`;
  return { changes: [failed(message)], entries: [] };
};

/** Returns the database of a data source; empty if it is unknown. */
const databaseOf = (source: JsonObject): string => {
  const parent = source['parent'];
  return isObject(parent) ? textAt(parent, 'database_id') : '';
};

/** Returns entries of rows: pages and, in a wiki, data sources. */
const entriesOf = (entry: Entry, rows: readonly JsonObject[], named: ReadonlySet<string>): readonly Entry[] => {
  const { within = [], ...own } = entry;
  const above = [...within, plainId(entry.id)];
  return rows.flatMap((row): readonly Entry[] => {
    const id = textAt(row, 'id');
    if (named.has(plainId(id))) return [];
    if (row['object'] === 'page') return [{ ...own, kind: 'page', id, ...unread }];
    const isKnown = above.includes(plainId(id)) || named.has(plainId(databaseOf(row)));
    return row['object'] !== 'data_source' || isKnown || isGone(row) ? [] : [{ ...own, id, ...unread, within: above }];
  });
};

/** Reads the next rows of a data source. */
export const readDataSource = async ({ client, input }: Reading, entry: Entry): Promise<Found> => {
  const { id: dataSource, from, cursor } = entry;
  const answer = await client.dataSources.query({
    data_source_id: dataSource,
    page_size: rowsAtOnce,
    sorts: [{ timestamp: 'created_time', direction: 'ascending' }],
    ...(from === null ? {} : { filter: { timestamp: 'created_time', created_time: { on_or_after: from } } }),
    ...(cursor === null ? {} : { start_cursor: cursor }),
  });
  const below = entriesOf(entry, answer.results, namedIn(input));
  const last = textAt(answer.results.at(-1) ?? {}, 'created_time');
  const { changes, entries } = restOf(entry, answer, last === '' ? entry.reached : last);
  return { changes, entries: [...entries, ...below] };
};

/** Restarts a query at the last listed row after Notion has lost its cursor. */
export const withoutCursor = (entry: Entry): Found => {
  if (entry.reached === null || entry.reached !== entry.from)
    return { changes: [], entries: [{ ...entry, from: entry.reached, cursor: null }] };
  const message = `The rows of the data source ${entry.id} could not be listed completely: Notion lost the cursor twice`;
  return { changes: [failed(message, { isTransient: true })], entries: [] };
};

/** Returns the data sources of a database. */
export const readDatabase = async ({ client, input }: Reading, entry: Entry): Promise<Found> => {
  const named = namedIn(input);
  if (entry.id !== entry.root && named.has(plainId(entry.id))) return { changes: [], entries: [] };
  const database = await client.databases.retrieve({ database_id: entry.id });
  if (!('data_sources' in database) || isGone(database)) return { changes: [], entries: [] };
  const sources = database.data_sources.filter(({ id }) => !named.has(plainId(id)));
  return { changes: [], entries: sources.map(({ id }) => ({ ...entry, kind: 'data_source', id }) as const) };
};
