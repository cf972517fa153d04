import type { FixedSizeList, Float32, RecordBatch, Vector } from 'apache-arrow';
import type { FoundRow } from '../../port.ts';
import { columnOf } from '../decode-rows.ts';

/** Columns that the cache keeps for each row: all columns of a hit except its text and metadata. */
const cachedColumns = ['id', 'job_id', 'filename', 'page_start', 'page_end'] as const;
const kept: ReadonlySet<string> = new Set(cachedColumns);

/** Columns that a query has to select, along with row addresses, for `placesOf`. */
export const placeColumns = [...cachedColumns, 'row_version'] as const;

/** Returns whether the cache has all these columns of a row. */
export const areCached = (columns: readonly string[]): boolean => columns.every((name) => kept.has(name));

type Source = Pick<FoundRow, 'jobId' | 'filename' | 'pageStart' | 'pageEnd'>;

/** A row without its vector. */
export interface Place {
  readonly id: string;
  readonly rowId: bigint;
  readonly version: string | null;
  readonly source: Source;
}

/** Values of the last row, which mostly equal those of the next one. */
export interface SharedValues {
  source: Source;
}

/** Starts reading rows that share values with their neighbours. */
export const startSharedValues = (): SharedValues => ({
  source: { jobId: null, filename: null, pageStart: null, pageEnd: null },
});

const sharedSource = (sharing: SharedValues, { jobId, filename, pageStart, pageEnd }: Source): Source => {
  const last = sharing.source;
  const same = jobId === last.jobId && filename === last.filename;
  if (same && pageStart === last.pageStart && pageEnd === last.pageEnd) return last;
  sharing.source = same
    ? { jobId: last.jobId, filename: last.filename, pageStart, pageEnd }
    : { jobId, filename, pageStart, pageEnd };
  return sharing.source;
};

/** Returns the rows of a batch. */
export const placesOf = (batch: RecordBatch, sharing: SharedValues): readonly Place[] => {
  const [id, rowId] = [columnOf<string>(batch, 'id'), columnOf<bigint>(batch, '_rowid')];
  const version = columnOf<string | null>(batch, 'row_version');
  const [jobId, filename] = [columnOf<string | null>(batch, 'job_id'), columnOf<string | null>(batch, 'filename')];
  const [pageStart, pageEnd] = [
    columnOf<number | null>(batch, 'page_start'),
    columnOf<number | null>(batch, 'page_end'),
  ];
  return Array.from({ length: batch.numRows }, (_, at) => ({
    id: id(at),
    rowId: rowId(at),
    version: version(at),
    source: sharedSource(sharing, {
      jobId: jobId(at),
      filename: filename(at),
      pageStart: pageStart(at),
      pageEnd: pageEnd(at),
    }),
  }));
};

/** Returns the numbers of a vector column, chunk by chunk. The numbers of a row without a vector are undefined. */
const piecesOf = (batch: RecordBatch, width: number) => {
  const column = batch.getChild('vector') as Vector<FixedSizeList<Float32>> | null;
  return (column?.data ?? []).map((piece) => {
    const numbers: unknown = piece.children[0]?.values;
    if (!(numbers instanceof Float32Array) || numbers.length !== piece.length * width)
      throw new Error('the vectors of a table have an unexpected Arrow type');
    return { piece, numbers };
  });
};

/** Returns the numbers of all vectors of a batch, one after the other. Throws if a row has none. */
export const numbersOf = (batch: RecordBatch, width: number): readonly Float32Array[] =>
  piecesOf(batch, width).map(({ piece, numbers }) => {
    if (piece.nullCount !== 0) throw new Error('a row of a table has no vector');
    return numbers;
  });

/** Rows, and the numbers of their vectors one after the other. */
export interface VectorBatch {
  readonly places: readonly Place[];
  readonly numbers: Float32Array;
}

/**
 * Returns the rows of a batch with their vectors, as many at once as are adjacent.
 * @param wanted Returns the row at a position of the batch, or null if it is not needed. A row without a vector is left
 *   out.
 */
export const vectorBatchesOf = (
  batch: RecordBatch,
  width: number,
  wanted: (position: number) => Place | null,
): readonly VectorBatch[] => {
  const portions: VectorBatch[] = [];
  let start = 0;
  for (const { piece, numbers } of piecesOf(batch, width)) {
    let places: Place[] = [];
    for (let at = 0; at <= piece.length; at += 1) {
      const place = at < piece.length && piece.getValid(at) ? wanted(start + at) : null;
      if (place !== null) {
        places.push(place);
      } else if (places.length > 0) {
        portions.push({ places, numbers: numbers.subarray((at - places.length) * width, at * width) });
        places = [];
      }
    }
    start += piece.length;
  }
  return portions;
};
