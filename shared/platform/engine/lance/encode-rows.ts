import type { Table as ArrowTable, Vector } from 'apache-arrow';
import type { Json, JsonObject } from '../../../kernel/json.ts';
import type { IndexRef, Row } from '../port.ts';
import type { FilterValue } from '../filter-tree.ts';
import { languageOf } from '../text-language.ts';
import { groupOf, keyToken, valueToken } from './compile-filter.ts';
import { tableSchema, vectorType } from './table-schema.ts';
import { storedText } from './written-texts.ts';

/** One physical row of a table: a visible row, or a tombstone where `row` is null. */
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
  /** What a tombstone carries besides, as JSON. */
  readonly note?: string;
}

/** UTF-8 bytes of a text; 0 for none. */
export const textBytes = (text: string | null): number => (text === null ? 0 : Buffer.byteLength(text));

interface Filterable {
  readonly tokens: readonly string[];
  readonly numberKeys: readonly string[];
  readonly numberValues: readonly number[];
}

const isFilterable = (value: Json): value is FilterValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

const nothing: Filterable = { tokens: [], numberKeys: [], numberValues: [] };

const filterable = (metadata: JsonObject, hidden: ReadonlySet<string>): Filterable => {
  const tokens = new Set<string>();
  const numberKeys: string[] = [];
  const numberValues: number[] = [];
  for (const [key, value] of Object.entries(metadata)) {
    if (hidden.has(key)) continue;
    tokens.add(keyToken(key));
    for (const member of isList(value) ? value : [value]) {
      if (isFilterable(member)) tokens.add(valueToken(key, member));
    }
    if (typeof value === 'number') {
      numberKeys.push(keyToken(key));
      numberValues.push(value);
    }
  }
  return { tokens: [...tokens], numberKeys, numberValues };
};

const encodeVectors = async (rows: readonly StoredRow[], dimensions: number): Promise<Vector> => {
  const { Float32, makeData, makeVector } = await import('apache-arrow');
  const type = await vectorType(dimensions);
  const width = type.listSize;
  const values = new Float32Array(rows.length * width);
  const present = new Uint8Array(Math.ceil(rows.length / 64) * 8);
  let nullCount = 0;
  rows.forEach(({ row }, position) => {
    if (row === null) {
      nullCount += 1;
      return;
    }
    values.set(row.vector, position * width);
    const byte = position >> 3;
    present[byte] = (present[byte] ?? 0) | (1 << (position & 7));
  });
  const child = makeData({ type: new Float32(), data: values });
  return makeVector(makeData({ type, length: rows.length, nullCount, nullBitmap: present, child }));
};

/** The texts of rows as they are searched and, where it differs, as they were written. */
const encodeTexts = (rows: readonly StoredRow[], ref: IndexRef) => {
  const language = languageOf(ref);
  const texts = rows.map(({ row }) => storedText(row?.text ?? null, language));
  return { text: texts.map(({ text }) => text), written: texts.map(({ written }) => written) };
};

/** The Arrow form of rows and tombstones for a table of the index. */
export const encodeRows = async (rows: readonly StoredRow[], ref: IndexRef): Promise<ArrowTable> => {
  const { dimensions, nonFilterableKeys } = ref;
  const { Table, vectorFromArray } = await import('apache-arrow');
  const schema = await tableSchema(dimensions);
  const hidden = new Set(nonFilterableKeys);
  const filters = rows.map(({ row }) => (row === null ? nothing : filterable(row.metadata, hidden)));
  const values: Readonly<Record<string, readonly unknown[]>> = {
    id: rows.map(({ id }) => id),
    ...encodeTexts(rows, ref),
    meta: rows.map(({ row, note }) => (row === null ? (note ?? null) : JSON.stringify(row.metadata))),
    kv: filters.map(({ tokens }) => tokens),
    kv_groups: filters.map(({ tokens }) => [...new Set(tokens.map(groupOf))]),
    num_keys: filters.map(({ numberKeys }) => numberKeys),
    num_values: filters.map(({ numberValues }) => numberValues),
    row_version: rows.map(({ version }) => version),
    job_id: rows.map(({ row }) => row?.jobId ?? null),
    filename: rows.map(({ row }) => row?.filename ?? null),
    page_start: rows.map(({ row }) => row?.pageStart ?? null),
    page_end: rows.map(({ row }) => row?.pageEnd ?? null),
    text_bytes: rows.map(({ row }) => textBytes(row?.text ?? null)),
    deleted: rows.map(({ row }) => row === null),
    masks: rows.map(({ masks }) => masks),
    masked_bytes: rows.map(({ maskedBytes }) => maskedBytes),
    inherited: rows.map(({ inherited }) => inherited),
  };
  const vectors = await encodeVectors(rows, dimensions);
  // The order has to be that of the schema: a table takes its columns by position, whatever their names.
  const columns = schema.fields.map(({ name, type }): readonly [string, Vector] => {
    const column: Vector = name === 'vector' ? vectors : vectorFromArray([...(values[name] ?? [])], type);
    return [name, column];
  });
  return new Table(schema, Object.fromEntries(columns));
};
