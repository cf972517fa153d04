import type { Connection, IndexOptions, Table } from '@lancedb/lancedb';
import type { IndexRef } from '../port.ts';
import { rulesOf } from '../text-language.ts';
import { commonColumn, tableSchema } from './table-schema.ts';
import { analysisOf } from './text-analysis.ts';

/** Names that the engine gives the indexes of a table. */
export const indexNames = {
  id: 'id_idx',
  groups: 'kv_groups_idx',
  text: 'text_idx',
  common: 'common_idx',
  vector: 'vector_idx',
} as const;

/** Returns the options of the index on token groups for `createIndex`. */
export const groupsIndexConfig = async (): Promise<Partial<IndexOptions> & { readonly name: string }> => {
  const { Index } = await import('@lancedb/lancedb');
  return { config: Index.labelList(), name: indexNames.groups };
};

const isOtherSchema = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('does not match existing table schema');

const openOrCreate = async (connection: Connection, name: string, ref: IndexRef): Promise<Table> => {
  const schema = await tableSchema(ref);
  try {
    return await connection.createEmptyTable(name, schema, { existOk: true });
  } catch (error) {
    // A table of an earlier version is valid. Its missing columns are added when it is written to.
    if (isOtherSchema(error)) return connection.openTable(name);
    throw error;
  }
};

/**
 * Creates a table with its indexes, or completes one whose creation was interrupted. The text index has to exist from
 * the start, because a text search without one is an error.
 */
export const createTable = async (connection: Connection, name: string, ref: IndexRef): Promise<Table> => {
  const { Index } = await import('@lancedb/lancedb');
  const analysis = await analysisOf(rulesOf(ref));
  const table = await openOrCreate(connection, name, ref);
  const existing = new Set((await table.listIndices()).map((index) => index.name));
  const wanted = [
    { column: 'id', name: indexNames.id, config: Index.btree() },
    { column: 'kv_groups', ...(await groupsIndexConfig()) },
    // Phrase queries need positions.
    { column: 'text', name: indexNames.text, config: Index.fts({ ...analysis, withPosition: true }) },
    ...(ref.analyzer === 'v2'
      ? [{ column: commonColumn, name: indexNames.common, config: Index.fts({ ...analysis, removeStopWords: false }) }]
      : []),
  ];
  for (const { column, ...index } of wanted) {
    if (!existing.has(index.name)) await table.createIndex(column, index);
  }
  return table;
};
