import type { Float32, Table as ArrowTable, Vector } from 'apache-arrow';
import type { JsonObject } from '../../../kernel/json.ts';
import type { FoundRow } from '../port.ts';

/** Reads one column of an answer by position. Its type is that of the table's schema, which no answer states itself. */
export type Column<Value> = (position: number) => Value;

/** One column of an answer. Throws where the query did not select it. */
export const columnOf = <Value>(answer: ArrowTable, name: string): Column<Value> => {
  const column = answer.getChild(name);
  // An answer without rows comes without columns as well.
  if (column === null && answer.numRows > 0) throw new Error(`the answer has no column ${name}`);
  return (position) => column?.get(position) as Value;
};

/** Makes one value of each row of an answer. */
export const mapRows = <Value>(answer: ArrowTable, make: (position: number) => Value): readonly Value[] =>
  Array.from({ length: answer.numRows }, (_, position) => make(position));

/** The ids of an answer. */
export const idsOf = (answer: ArrowTable): readonly string[] => mapRows(answer, columnOf<string>(answer, 'id'));

/**
 * The rows of an answer that selected `rowColumns`; vectors and versions where selected. Without the column `text` or
 * `meta` every row has no text or no metadata.
 */
export const decodeRows = (answer: ArrowTable, dimensions: number): readonly FoundRow[] => {
  const text = (name: string): Column<string | null> => columnOf(answer, name);
  const integer = (name: string): Column<number | null> => columnOf(answer, name);
  const id = columnOf<string>(answer, 'id');
  const has = (name: string): boolean => answer.getChild(name) !== null;
  const metadata = has('meta') ? columnOf<string>(answer, 'meta') : () => '{}';
  const chunk = has('text') ? text('text') : () => null;
  const [jobId, filename] = [text('job_id'), text('filename')];
  const [pageStart, pageEnd] = [integer('page_start'), integer('page_end')];
  const version = has('row_version') ? columnOf<string>(answer, 'row_version') : null;
  const vector = has('vector') ? columnOf<Vector<Float32>>(answer, 'vector') : null;
  return mapRows(answer, (position) => ({
    id: id(position),
    text: chunk(position),
    // Cast: the engine wrote what a JSON object gave.
    metadata: JSON.parse(metadata(position)) as JsonObject,
    jobId: jobId(position),
    filename: filename(position),
    pageStart: pageStart(position),
    pageEnd: pageEnd(position),
    vector: vector === null ? null : vector(position).toArray().slice(0, dimensions),
    ...(version === null ? {} : { version: version(position) }),
  }));
};
