import type { Table as ArrowTable, Vector } from 'apache-arrow';
import type { VersionedRow } from '../changes/index-content.ts';
import { metadataTokens, type MetadataTokens } from '../metadata-tokens.ts';
import type { IndexRef } from '../port.ts';
import { rulesOf } from '../text-language.ts';
import { arrowColumns } from './arrow-columns.ts';
import { groupOf } from './compile-filter.ts';
import { tableSchema, vectorType } from './table-schema.ts';
import { storedTexts } from './stored-texts.ts';

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

/** Encodes rows as an Arrow table of the index. */
export const encodeRows = async (rows: readonly VersionedRow[], ref: IndexRef): Promise<ArrowTable> => {
  const { Table } = await import('apache-arrow');
  const schema = await tableSchema(ref);
  const { texts, integers, textLists, numberLists, vectors } = await arrowColumns();
  const toTokens = metadataTokens(ref);
  const filters = rows.map(({ metadata }) => toTokens(metadata));
  const rules = rulesOf(ref);
  const stored = rows.map((row) => storedTexts(row, rules));
  const columns: Readonly<Record<string, Vector>> = {
    id: texts(rows.map(({ id }) => id)),
    vector: vectors(
      rows.map(({ vector }) => vector),
      await vectorType(ref.dimensions),
    ),
    text: texts(stored.map(({ text }) => text)),
    written: texts(stored.map(({ written }) => written)),
    common: texts(stored.map(({ common }) => common)),
    meta: texts(rows.map(({ metadata }) => JSON.stringify(metadata))),
    kv: textLists(filters.map(({ tokens }) => [...tokens])),
    kv_groups: textLists(groupsOf(filters)),
    num_keys: textLists(filters.map(({ numbers }) => [...numbers.keys()])),
    num_values: numberLists(filters.map(({ numbers }) => [...numbers.values()])),
    row_version: texts(rows.map(({ version }) => version)),
    job_id: texts(rows.map(({ jobId }) => jobId)),
    filename: texts(rows.map(({ filename }) => filename)),
    page_start: integers(rows.map(({ pageStart }) => pageStart)),
    page_end: integers(rows.map(({ pageEnd }) => pageEnd)),
    passage: texts(rows.map(({ passage }) => passage ?? null)),
  };
  // The order must be that of the schema: a table takes its columns by position, not by name.
  const ordered = schema.fields.map(({ name }): readonly [string, Vector] => {
    const column = columns[name];
    if (column === undefined) throw new Error(`the column ${name} has no values`);
    return [name, column];
  });
  return new Table(schema, Object.fromEntries(ordered));
};
