import type { Table } from '@lancedb/lancedb';
import { memoizePerOwner } from '../../../kernel/memoize.ts';
import { analysedText, ownPartOf, searchedText } from '../searched-text.ts';
import type { TextRules } from '../text-language.ts';
import { rowColumns, writtenColumn } from './table-schema.ts';

/** The two text columns: the searchable form and, if it differs, the original. */
interface StoredText {
  readonly text: string | null;
  readonly written: string | null;
}

/** Returns both columns of a text under headings. */
export const storedText = (text: string | null, headings: readonly string[], rules: TextRules): StoredText => {
  if (text === null) return { text, written: null };
  // The engine makes texts well-formed too. The same form has to result from its copy.
  const written = text.toWellFormed();
  const searched = searchedText(
    written,
    headings.map((heading) => heading.toWellFormed()),
    rules,
  );
  return { text: searched, written: ownPartOf(searched) === written ? null : written };
};

/**
 * Returns the original of a stored text. A writer of an earlier version changes `text` and leaves the other column
 * unchanged, so that the latter counts only if both are the same text.
 */
export const writtenText = ({ text, written }: StoredText, rules: TextRules): string | null => {
  if (text === null) return null;
  const own = ownPartOf(text);
  return written !== null && analysedText(written, rules) === own ? written : own;
};

const hasColumn = async (table: Table): Promise<boolean> =>
  (await table.schema()).fields.some(({ name }) => name === writtenColumn);

/**
 * Returns the columns of a row of a table for a reader, without the vector. The table has a fixed version or has been
 * through `completeColumns`.
 */
export const rowColumnsOf = memoizePerOwner(async (table: Table): Promise<readonly string[]> =>
  (await hasColumn(table)) ? [...rowColumns, writtenColumn] : rowColumns,
);

/** Adds the missing column to a table of an earlier version, without a value in any row. No file is rewritten. */
export const completeColumns = memoizePerOwner(async (table: Table): Promise<void> => {
  // An expression, because the engine accepts fields of its own copy of apache-arrow only.
  if (!(await hasColumn(table))) await table.addColumns([{ name: writtenColumn, valueSql: 'CAST(NULL AS STRING)' }]);
});
