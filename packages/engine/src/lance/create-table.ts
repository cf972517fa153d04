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

/**
 * Creates a table with its indexes, or completes one whose creation was interrupted. The text index has to exist from
 * the start, because a text search without one is an error.
 */
export const createTable = async (connection: Connection, name: string, ref: IndexRef): Promise<Table> => {
  const { Index } = await import('@lancedb/lancedb');
  const analysis = analysisOf(rulesOf(ref));
  const table = await connection.createEmptyTable(name, await tableSchema(ref), { existOk: true });
  const existing = new Set((await table.listIndices()).map((index) => index.name));
  const wanted = [
    { column: 'id', name: indexNames.id, config: Index.btree() },
    { column: 'kv_groups', ...(await groupsIndexConfig()) },
    // Phrase queries need positions.
    { column: 'text', name: indexNames.text, config: Index.fts({ ...analysis, withPosition: true }) },
    { column: commonColumn, name: indexNames.common, config: Index.fts({ ...analysis, removeStopWords: false }) },
  ];
  for (const { column, ...index } of wanted) {
    if (!existing.has(index.name)) await table.createIndex(column, index);
  }
  return table;
};
