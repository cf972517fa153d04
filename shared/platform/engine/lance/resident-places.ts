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
  version: string | null;
}

/** Begins to read rows, of which many share their file and their version: equal strings of an answer are not one string. */
export const startSharing = (): Sharing => ({
  source: { jobId: null, filename: null, pageStart: null, pageEnd: null },
  version: null,
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

const sharedVersion = (sharing: Sharing, version: string | null): string | null => {
  if (version !== sharing.version) sharing.version = version;
  return sharing.version;
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
    version: sharedVersion(sharing, version(at)),
    source: sharedSource(sharing, {
      jobId: jobId(at),
      filename: filename(at),
      pageStart: pageStart(at),
      pageEnd: pageEnd(at),
    }),
  }));
};

/**
 * The numbers of all vectors of a batch, one after the other.
 * @param lack Whether some rows, which are tombstones, have none; what stands there in their place means nothing.
 */
export const numbersOf = (
  batch: RecordBatch,
  width: number,
  lack: 'none' | 'some' = 'none',
): readonly Float32Array[] => {
  const column = batch.getChild('vector') as Vector<FixedSizeList<Float32>> | null;
  return (column?.data ?? []).map(({ children, length }) => {
    const values: unknown = children[0]?.values;
    const isWhole = lack === 'some' || column?.nullCount === 0;
    if (!(values instanceof Float32Array) || values.length !== length * width || !isWhole)
      throw new Error('the vectors of a table have an unexpected form');
    return values;
  });
};
