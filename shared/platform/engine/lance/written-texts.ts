import type { Table } from '@lancedb/lancedb';
import { memoizePerOwner } from '../../../kernel/memoize.ts';
import { analysedForm } from '../analysed-form.ts';
import type { TextLanguage } from '../text-language.ts';
import { rowColumns, writtenColumn } from './table-schema.ts';

/** A text as the columns of a table hold it: as it is searched and, where that differs, as it was written. */
interface StoredText {
  readonly text: string | null;
  readonly written: string | null;
}

/** Both columns of a text. */
export const storedText = (text: string | null, language: TextLanguage): StoredText => {
  if (text === null) return { text, written: null };
  // The engine makes them so as well; from what it gives back, the same form has to come.
  const written = text.toWellFormed();
  const searched = analysedForm(written, language);
  return { text: searched, written: searched === written ? null : written };
};

/**
 * The text that both columns hold, as it was written. A writer of an earlier version changes `text` and leaves the other
 * column as it was, so that it counts only where both are one text.
 */
export const writtenText = ({ text, written }: StoredText, language: TextLanguage): string | null =>
  written !== null && analysedForm(written, language) === text ? written : text;

const hasColumn = async (table: Table): Promise<boolean> =>
  (await table.schema()).fields.some(({ name }) => name === writtenColumn);

/**
 * Names of the columns that make up a row of a table for a reader, without the vector. The table stands on one version for
 * good or has been through `completeColumns`.
 */
export const rowColumnsOf = memoizePerOwner(async (table: Table): Promise<readonly string[]> =>
  (await hasColumn(table)) ? [...rowColumns, writtenColumn] : rowColumns,
);

/** Gives a table of an earlier version the column that it lacks, without a value in any row: no file is written anew. */
export const completeColumns = memoizePerOwner(async (table: Table): Promise<void> => {
  // An expression, because the engine knows fields of its own copy of apache-arrow alone.
  if (!(await hasColumn(table))) await table.addColumns([{ name: writtenColumn, valueSql: 'CAST(NULL AS STRING)' }]);
});
