import type { Data, Float32, RecordBatch, Table as ArrowTable, Utf8, Vector } from 'apache-arrow';
import type { JsonObject } from '../../../../shared/kernel/json.ts';
import type { FoundRow, IndexRef } from '../port.ts';
import { passageColumn, writtenColumn } from './table-schema.ts';
import { writtenText } from './stored-texts.ts';

/** Reads one column of a result by position. Its type is that of the table's schema, which a result does not state. */
export type Column<Value> = (position: number) => Value;

// A byte order mark at the beginning belongs to the text. The decoder of apache-arrow drops it.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const isOfTexts = (column: Vector): column is Vector<Utf8> => String(column.type) === 'Utf8';

/** Returns whether two byte ranges are equal. */
const areSame = (bytes: Uint8Array, one: number, others: Uint8Array, other: number, length: number): boolean => {
  for (let at = 0; at < length; at += 1) if (bytes[one + at] !== others[other + at]) return false;
  return true;
};

/** A decoded text and its position. */
interface TextRead {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly length: number;
  readonly text: string;
}

/**
 * Returns a reader of the texts of a column, as they were written. Null if a row has none. Reading in order is fastest.
 * A text that equals the previous one is returned as the same string, so that many rows share it.
 */
const textsOf = ({ data }: Vector<Utf8>): Column<string | null> => {
  let [chunk, start] = [0, 0];
  let last: TextRead = { bytes: new Uint8Array(), from: 0, length: 0, text: '' };
  const textAt = ({ valueOffsets, values }: Data<Utf8>, at: number): string => {
    const from = valueOffsets[at] ?? 0;
    const length = (valueOffsets[at + 1] ?? 0) - from;
    if (length !== last.length || !areSame(values, from, last.bytes, last.from, length))
      last = { bytes: values, from, length, text: decoder.decode(values.subarray(from, from + length)) };
    return last.text;
  };
  return (position) => {
    if (position < start) [chunk, start] = [0, 0];
    for (let part = data[chunk]; part !== undefined; part = data[chunk]) {
      const at = position - start;
      if (at < part.length) return part.getValid(at) ? textAt(part, at) : null;
      start += part.length;
      chunk += 1;
    }
    return null;
  };
};

/** Returns a reader of one column of a result. Throws if the query did not select it. */
export const columnOf = <Value>(answer: ArrowTable | RecordBatch, name: string): Column<Value> => {
  const column = answer.getChild(name);
  // A result without rows has no columns.
  if (column === null && answer.numRows > 0) throw new Error(`the result has no column ${name}`);
  // Casts, also of the result of `get`: the values have the type of the table's schema.
  if (column !== null && column.nullCount === column.length) return () => null as Value;
  if (column !== null && isOfTexts(column)) return textsOf(column) as Column<Value>;
  return (position) => column?.get(position) as Value;
};

/** Maps each row of a result to a value. */
export const mapRows = <Value>(answer: ArrowTable | RecordBatch, make: (position: number) => Value): readonly Value[] =>
  Array.from({ length: answer.numRows }, (_, position) => make(position));

/** Returns the ids of a result. */
export const idsOf = (answer: ArrowTable | RecordBatch): readonly string[] =>
  mapRows(answer, columnOf<string>(answer, 'id'));

/** Settings of an index that are needed to decode its rows. */
export type RowShape = Pick<IndexRef, 'dimensions'>;

/**
 * Decodes the rows of a result, with vectors and versions if they were selected. Without the column `text` or `meta`,
 * every row has no text or no metadata.
 */
export const decodeRows = (answer: ArrowTable | RecordBatch, shape: RowShape): readonly FoundRow[] => {
  const text = (name: string): Column<string | null> => columnOf(answer, name);
  const integer = (name: string): Column<number | null> => columnOf(answer, name);
  const id = columnOf<string>(answer, 'id');
  const has = (name: string): boolean => answer.getChild(name) !== null;
  const metadata = has('meta') ? columnOf<string>(answer, 'meta') : () => '{}';
  const searched = has('text') ? text('text') : () => null;
  const written = has(writtenColumn) ? text(writtenColumn) : () => null;
  const [jobId, filename] = [text('job_id'), text('filename')];
  const [pageStart, pageEnd] = [integer('page_start'), integer('page_end')];
  const passage = has(passageColumn) ? text(passageColumn) : () => null;
  const version = has('row_version') ? columnOf<string>(answer, 'row_version') : null;
  const vector = has('vector') ? columnOf<Vector<Float32>>(answer, 'vector') : null;
  const passageAt = (position: number): Pick<FoundRow, 'passage'> => {
    const value = passage(position);
    return value === null ? {} : { passage: value };
  };
  return mapRows(answer, (position) => ({
    id: id(position),
    text: writtenText({ text: searched(position), written: written(position) }),
    // Cast: the engine stored the JSON of an object.
    metadata: JSON.parse(metadata(position)) as JsonObject,
    jobId: jobId(position),
    filename: filename(position),
    pageStart: pageStart(position),
    pageEnd: pageEnd(position),
    ...passageAt(position),
    vector: vector === null ? null : vector(position).toArray().slice(0, shape.dimensions),
    ...(version === null ? {} : { version: version(position) }),
  }));
};
