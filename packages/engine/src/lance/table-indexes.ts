import type { Index, Table } from '@lancedb/lancedb';
import type { IndexRef } from '../port.ts';
import { rulesOf } from '../text-language.ts';
import { commonColumn } from './table-schema.ts';
import { analysisOf } from './text-analysis.ts';

/** Names of the indexes of a table. */
export const indexNames = {
  id: 'id_idx',
  groups: 'kv_groups_idx',
  text: 'text_idx',
  common: 'common_idx',
  vector: 'vector_idx',
} as const;

const configsOf = async (
  ref: IndexRef,
): Promise<readonly (readonly [column: string, name: string, config: Index])[]> => {
  const { Index } = await import('@lancedb/lancedb');
  const analysis = analysisOf(rulesOf(ref));
  return [
    ['id', indexNames.id, Index.btree()],
    ['kv_groups', indexNames.groups, Index.labelList()],
    // Phrase queries need positions.
    ['text', indexNames.text, Index.fts({ ...analysis, withPosition: true })],
    [commonColumn, indexNames.common, Index.fts({ ...analysis, removeStopWords: false })],
  ];
};

/** Drops an index of a table, if there is one. */
export const dropIndex = async (table: Table, name: string): Promise<void> => {
  if ((await table.listIndices()).some((index) => index.name === name)) await table.dropIndex(name);
};

/** Creates those indexes that a table does not have, besides the vector index. A text search without one is an error. */
export const createIndexes = async (table: Table, ref: IndexRef): Promise<void> => {
  const existing = new Set((await table.listIndices()).map((index) => index.name));
  for (const [column, name, config] of await configsOf(ref))
    if (!existing.has(name)) await table.createIndex(column, { name, config });
};
