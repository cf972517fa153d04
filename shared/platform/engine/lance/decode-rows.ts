import type { Data, Float32, RecordBatch, Table as ArrowTable, Utf8, Vector } from 'apache-arrow';
import type { JsonObject } from '../../../kernel/json.ts';
import type { FoundRow, IndexRef } from '../port.ts';
import { languageOf } from '../text-language.ts';
import { writtenColumn } from './table-schema.ts';
import { writtenText } from './written-texts.ts';

/** Reads one column of an answer by position. Its type is that of the table's schema, which no answer states itself. */
export type Column<Value> = (position: number) => Value;

// A byte order mark at the beginning belongs to the text; the decoder of apache-arrow drops it.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const isOfTexts = (column: Vector): column is Vector<Utf8> => String(column.type) === 'Utf8';

/** Whether two stretches of bytes, which begin here and there, are the same. */
const areSame = (bytes: Uint8Array, one: number, others: Uint8Array, other: number, length: number): boolean => {
  for (let at = 0; at < length; at += 1) if (bytes[one + at] !== others[other + at]) return false;
  return true;
};

/** A text that was read, and where it stands. */
interface TextRead {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly length: number;
  readonly text: string;
}

/**
 * The texts of a column, as they were written; null where there is none. Fastest where they are read in order; one that is
 * the same as the one read before is the same string, which many rows then share.
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

/** One column of an answer. Throws where the query did not select it. */
export const columnOf = <Value>(answer: ArrowTable | RecordBatch, name: string): Column<Value> => {
  const column = answer.getChild(name);
  // An answer without rows comes without columns as well.
  if (column === null && answer.numRows > 0) throw new Error(`the answer has no column ${name}`);
  // Casts, also of what `get` gives: the type of the values is that of the table's schema.
  if (column !== null && column.nullCount === column.length) return () => null as Value;
  if (column !== null && isOfTexts(column)) return textsOf(column) as Column<Value>;
  return (position) => column?.get(position) as Value;
};

/** Makes one value of each row of an answer. */
export const mapRows = <Value>(answer: ArrowTable, make: (position: number) => Value): readonly Value[] =>
  Array.from({ length: answer.numRows }, (_, position) => make(position));

/** The ids of an answer. */
export const idsOf = (answer: ArrowTable): readonly string[] => mapRows(answer, columnOf<string>(answer, 'id'));

/** What tells how the rows of an index are read. */
export type RowShape = Pick<IndexRef, 'dimensions' | 'textLanguage'>;

/**
 * The rows of an answer that selected the columns of a row; vectors and versions where selected. Without the column `text`
 * or `meta` every row has no text or no metadata.
 */
export const decodeRows = (answer: ArrowTable, shape: RowShape): readonly FoundRow[] => {
  const language = languageOf(shape);
  const text = (name: string): Column<string | null> => columnOf(answer, name);
  const integer = (name: string): Column<number | null> => columnOf(answer, name);
  const id = columnOf<string>(answer, 'id');
  const has = (name: string): boolean => answer.getChild(name) !== null;
  const metadata = has('meta') ? columnOf<string>(answer, 'meta') : () => '{}';
  const searched = has('text') ? text('text') : () => null;
  const written = has(writtenColumn) ? text(writtenColumn) : () => null;
  const [jobId, filename] = [text('job_id'), text('filename')];
  const [pageStart, pageEnd] = [integer('page_start'), integer('page_end')];
  const version = has('row_version') ? columnOf<string>(answer, 'row_version') : null;
  const vector = has('vector') ? columnOf<Vector<Float32>>(answer, 'vector') : null;
  return mapRows(answer, (position) => ({
    id: id(position),
    text: writtenText({ text: searched(position), written: written(position) }, language),
    // Cast: the engine wrote what a JSON object gave.
    metadata: JSON.parse(metadata(position)) as JsonObject,
    jobId: jobId(position),
    filename: filename(position),
    pageStart: pageStart(position),
    pageEnd: pageEnd(position),
    vector: vector === null ? null : vector(position).toArray().slice(0, shape.dimensions),
    ...(version === null ? {} : { version: version(position) }),
  }));
};
