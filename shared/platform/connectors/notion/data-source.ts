import type { Client } from '@notionhq/client';
import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { type Entry, type Found, isGone, namedIn, plainId, type Reading, unread } from './entry.ts';
import { failed } from '../port.ts';
import { textAt } from '../read-text.ts';

/** Rows of a data source that wait to be read at a time. */
const rowsAtOnce = 25;

type Rows = Awaited<ReturnType<Client['dataSources']['query']>>;

/**
 * Where the rows go on. A query ends after 10,000 rows and says so; another one begins with those made when its last was.
 * Source: Notion, "Query a data source"; the same way is taken by `iterateAllDataSourceRows` of the SDK.
 */
const restOf = (entry: Entry, answer: Rows, reached: string | null): Found => {
  const { next_cursor: cursor, request_status: status } = answer;
  if (cursor !== null) return { changes: [], entries: [{ ...entry, cursor, reached }] };
  if (status?.type !== 'incomplete') return { changes: [], entries: [] };
  if (reached !== entry.from) return { changes: [], entries: [{ ...entry, from: reached, cursor: null, reached }] };
  const message = `The data source ${entry.id} has more rows made in one minute than Notion lists: some are left out`;
  return { changes: [failed(message)], entries: [] };
};

/** Id of the database that a data source is part of; empty where it is not told. */
const databaseOf = (source: JsonObject): string => {
  const parent = source['parent'];
  return isObject(parent) ? textAt(parent, 'database_id') : '';
};

/** What the rows lead to: pages and, in a wiki, data sources. */
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

/** The next rows of a data source. */
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

/** The rows from the last one on that was named, where Notion has forgotten the place. */
export const withoutCursor = (entry: Entry): Found => {
  if (entry.reached === null || entry.reached !== entry.from)
    return { changes: [], entries: [{ ...entry, from: entry.reached, cursor: null }] };
  const message = `The rows of the data source ${entry.id} could not be listed to the end: Notion forgot the place twice`;
  return { changes: [failed(message, { passing: true })], entries: [] };
};

/** The data sources of a database. */
export const readDatabase = async ({ client, input }: Reading, entry: Entry): Promise<Found> => {
  const named = namedIn(input);
  if (entry.id !== entry.root && named.has(plainId(entry.id))) return { changes: [], entries: [] };
  const database = await client.databases.retrieve({ database_id: entry.id });
  if (!('data_sources' in database) || isGone(database)) return { changes: [], entries: [] };
  const sources = database.data_sources.filter(({ id }) => !named.has(plainId(id)));
  return { changes: [], entries: sources.map(({ id }) => ({ ...entry, kind: 'data_source', id }) as const) };
};
