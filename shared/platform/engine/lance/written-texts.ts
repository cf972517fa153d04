import type { Table } from '@lancedb/lancedb';
import { oncePer } from '../../../kernel/made-once.ts';
import { rowColumns, writtenColumn } from './table-schema.ts';

const hasColumn = async (table: Table): Promise<boolean> =>
  (await table.schema()).fields.some(({ name }) => name === writtenColumn);

/**
 * Names of the columns that make up a row of a table for a reader, without the vector. The table stands on one version for
 * good or has been through `completeColumns`.
 */
export const rowColumnsOf = oncePer(async (table: Table): Promise<readonly string[]> =>
  (await hasColumn(table)) ? [...rowColumns, writtenColumn] : rowColumns,
);

/** Gives a table of an earlier version the column that it lacks, without a value in any row: no file is written anew. */
export const completeColumns = oncePer(async (table: Table): Promise<void> => {
  // An expression, because the engine knows fields of its own copy of apache-arrow alone.
  if (!(await hasColumn(table))) await table.addColumns([{ name: writtenColumn, valueSql: 'CAST(NULL AS STRING)' }]);
});
