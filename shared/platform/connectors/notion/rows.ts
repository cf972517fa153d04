import type { Client } from '@notionhq/client';
import { type Entry, type Found, isGone, plainId, type Reading, unread } from './entry.ts';
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

/** The next rows of a data source, each a page. */
export const readDataSource = async ({ client, input }: Reading, entry: Entry): Promise<Found> => {
  const { id: dataSource, from, cursor } = entry;
  const answer = await client.dataSources.query({
    data_source_id: dataSource,
    page_size: rowsAtOnce,
    sorts: [{ timestamp: 'created_time', direction: 'ascending' }],
    ...(from === null ? {} : { filter: { timestamp: 'created_time', created_time: { on_or_after: from } } }),
    ...(cursor === null ? {} : { start_cursor: cursor }),
  });
  const named = new Set(input.scope.notion_pages.map(plainId));
  const rows = answer.results.filter(({ object, id }) => object === 'page' && !named.has(plainId(id)));
  const pages = rows.map(({ id }) => ({ ...entry, kind: 'page', id, ...unread }) as const);
  const last = textAt(answer.results.at(-1) ?? {}, 'created_time');
  const { changes, entries } = restOf(entry, answer, last === '' ? entry.reached : last);
  return { changes, entries: [...entries, ...pages] };
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
  const database = await client.databases.retrieve({ database_id: entry.id });
  if (!('data_sources' in database) || isGone(database)) return { changes: [], entries: [] };
  const named = new Set(input.scope.notion_data_sources.map(plainId));
  const sources = database.data_sources.filter(({ id }) => !named.has(plainId(id)));
  return { changes: [], entries: sources.map(({ id }) => ({ ...entry, kind: 'data_source', id }) as const) };
};
