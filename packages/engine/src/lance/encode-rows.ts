import type { Table as ArrowTable, Vector } from 'apache-arrow';
import { searchedHeadings } from '../../../../shared/kernel/row-metadata.ts';
import type { IndexRef, Row } from '../port.ts';
import { metadataTokens, type MetadataTokens } from '../metadata-tokens.ts';
import { ownPartOf } from '../searched-text.ts';
import { rulesOf } from '../text-language.ts';
import { groupOf } from './compile-filter.ts';
import { arrowColumns } from './arrow-columns.ts';
import { tableSchema, vectorType } from './table-schema.ts';
import { analysisOf, commonWordsOf } from './text-analysis.ts';
import { storedText } from './written-texts.ts';

/** One physical row of a table: a visible row, or a tombstone if `row` is null. */
export interface StoredRow {
  readonly id: string;
  readonly row: Row | null;
  /** The key of the change that wrote the row. */
  readonly version: string | null;
  /** Whether a visible row of an ancestor layer has this id, and the UTF-8 bytes of that row's text. */
  readonly masks: boolean;
  readonly maskedBytes: number;
  /** Whether it is a copy of an ancestor's row. */
  readonly inherited: boolean;
  /** Additional JSON that a tombstone stores. */
  readonly note?: string;
}

/** UTF-8 bytes of a text; 0 for none. */
export const textBytes = (text: string | null): number => (text === null ? 0 : Buffer.byteLength(text));

/** Tokens of a tombstone. */
const nothing: MetadataTokens = { tokens: new Set(), numbers: new Map() };

/** Returns the groups of each row's tokens. Most tokens, above all those of keys, occur in several rows. */
const groupsOf = (filters: readonly MetadataTokens[]): readonly (readonly string[])[] => {
  const known = new Map<string, string>();
  const groupFor = (token: string): string => {
    const group = known.get(token) ?? groupOf(token);
    known.set(token, group);
    return group;
  };
  return filters.map(({ tokens }) => [...new Set(tokens.values().map(groupFor))]);
};

/** Returns the headings that are searched with the text of a row. Only rows of files have any. */
const headingsOf = (row: Row | null): readonly string[] =>
  row === null || row.jobId === null ? [] : searchedHeadings(row.metadata, row.text ?? '');

/** Returns the texts of rows in searchable form and, if it differs, as they were written. */
const encodeTexts = (rows: readonly StoredRow[], ref: IndexRef) => {
  const rules = rulesOf(ref);
  const analysis = analysisOf(rules);
  const texts = rows.map(({ row }) => storedText(row?.text ?? null, headingsOf(row), rules));
  return {
    text: texts.map(({ text }) => text),
    written: texts.map(({ written }) => written),
    common: texts.map(({ text }) => (text === null ? null : commonWordsOf(analysis, ownPartOf(text)).join(' '))),
  };
};

/** Encodes rows and tombstones as an Arrow table of the index. */
export const encodeRows = async (rows: readonly StoredRow[], ref: IndexRef): Promise<ArrowTable> => {
  const { Table } = await import('apache-arrow');
  const schema = await tableSchema(ref);
  const { texts, integers, flags, textLists, numberLists, vectors } = await arrowColumns();
  const toTokens = metadataTokens(ref);
  const filters = rows.map(({ row }) => (row === null ? nothing : toTokens(row.metadata)));
  const { text, written, common } = encodeTexts(rows, ref);
  const columns: Readonly<Record<string, Vector>> = {
    id: texts(rows.map(({ id }) => id)),
    text: texts(text),
    written: texts(written),
    common: texts(common),
    vector: vectors(
      rows.map(({ row }) => row?.vector ?? null),
      await vectorType(ref.dimensions),
    ),
    meta: texts(rows.map(({ row, note }) => (row === null ? (note ?? null) : JSON.stringify(row.metadata)))),
    kv: textLists(filters.map(({ tokens }) => [...tokens])),
    kv_groups: textLists(groupsOf(filters)),
    num_keys: textLists(filters.map(({ numbers }) => [...numbers.keys()])),
    num_values: numberLists(filters.map(({ numbers }) => [...numbers.values()])),
    row_version: texts(rows.map(({ version }) => version)),
    job_id: texts(rows.map(({ row }) => row?.jobId ?? null)),
    filename: texts(rows.map(({ row }) => row?.filename ?? null)),
    page_start: integers(rows.map(({ row }) => row?.pageStart ?? null)),
    page_end: integers(rows.map(({ row }) => row?.pageEnd ?? null)),
    text_bytes: integers(rows.map(({ row }) => textBytes(row?.text ?? null))),
    deleted: flags(rows.map(({ row }) => row === null)),
    masks: flags(rows.map(({ masks }) => masks)),
    masked_bytes: integers(rows.map(({ maskedBytes }) => maskedBytes)),
    inherited: flags(rows.map(({ inherited }) => inherited)),
  };
  // The order must be that of the schema: a table takes its columns by position, not by name.
  const ordered = schema.fields.map(({ name }): readonly [string, Vector] => {
    const column = columns[name];
    if (column === undefined) throw new Error(`the column ${name} has no values`);
    return [name, column];
  });
  return new Table(schema, Object.fromEntries(ordered));
};
