import type { FixedSizeList, Float32, RecordBatch, Vector } from 'apache-arrow';
import type { FoundRow } from '../port.ts';
import { columnOf } from './decode-rows.ts';

/** Columns of a row that stay in memory for whoever finds it: all that a hit tells without its text and metadata. */
const keptColumns = ['id', 'job_id', 'filename', 'page_start', 'page_end'] as const;
const kept: ReadonlySet<string> = new Set(keptColumns);

/** Columns that a query has to select, along with the place of its rows, for `placesOf`. */
export const placeColumns = [...keptColumns, 'row_version'] as const;

/** Whether memory has all these columns of a row. */
export const areKept = (columns: readonly string[]): boolean => columns.every((name) => kept.has(name));

type Source = Pick<FoundRow, 'jobId' | 'filename' | 'pageStart' | 'pageEnd'>;

/** A row but for its vector. */
export interface Place {
  readonly id: string;
  readonly rowId: bigint;
  readonly version: string | null;
  readonly source: Source;
}

/** What was last said of a row, which mostly holds for the next one too. */
export interface Sharing {
  source: Source;
}

/** Begins to read rows, of which many share where they come from. */
export const startSharing = (): Sharing => ({
  source: { jobId: null, filename: null, pageStart: null, pageEnd: null },
});

const sharedSource = (sharing: Sharing, { jobId, filename, pageStart, pageEnd }: Source): Source => {
  const last = sharing.source;
  const same = jobId === last.jobId && filename === last.filename;
  if (same && pageStart === last.pageStart && pageEnd === last.pageEnd) return last;
  sharing.source = same
    ? { jobId: last.jobId, filename: last.filename, pageStart, pageEnd }
    : { jobId, filename, pageStart, pageEnd };
  return sharing.source;
};

/** The rows of a batch. */
export const placesOf = (batch: RecordBatch, sharing: Sharing): readonly Place[] => {
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

/** The numbers of a column of vectors, piece by piece; what stands for a row without a vector means nothing. */
const piecesOf = (batch: RecordBatch, width: number) => {
  const column = batch.getChild('vector') as Vector<FixedSizeList<Float32>> | null;
  return (column?.data ?? []).map((piece) => {
    const numbers: unknown = piece.children[0]?.values;
    if (!(numbers instanceof Float32Array) || numbers.length !== piece.length * width)
      throw new Error('the vectors of a table have an unexpected form');
    return { piece, numbers };
  });
};

/** The numbers of all vectors of a batch, one after the other. Throws where a row has none. */
export const numbersOf = (batch: RecordBatch, width: number): readonly Float32Array[] =>
  piecesOf(batch, width).map(({ piece, numbers }) => {
    if (piece.nullCount !== 0) throw new Error('a row of a table has no vector');
    return numbers;
  });

/** Rows, and the numbers of their vectors one after the other. */
export interface Portion {
  readonly places: readonly Place[];
  readonly numbers: Float32Array;
}

/**
 * The rows of a batch with their vectors: as many at once as stand side by side.
 * @param wanted The row at a position of the batch; null where it is not wanted. One without a vector is left out.
 */
export const portionsOf = (
  batch: RecordBatch,
  width: number,
  wanted: (position: number) => Place | null,
): readonly Portion[] => {
  const portions: Portion[] = [];
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
