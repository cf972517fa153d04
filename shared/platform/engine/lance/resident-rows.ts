import { setImmediate } from 'node:timers/promises';
import type { Table } from '@lancedb/lancedb';
import type { FixedSizeList, Float32, RecordBatch, Vector } from 'apache-arrow';
import { keepVectors } from '../resident/resident-vectors.ts';
import type { FoundRow, IndexRef } from '../port.ts';
import { columnOf } from './decode-rows.ts';
import { live } from './read-layers.ts';
import type { ResidentRows } from './search-table.ts';
import { paddedDimensions } from './table-schema.ts';

/** Columns of a row that stay in memory: all that a hit tells without its text and metadata. */
const keptColumns = ['id', 'job_id', 'filename', 'page_start', 'page_end'] as const;
const kept: ReadonlySet<string> = new Set(keptColumns);

type Source = Pick<FoundRow, 'jobId' | 'filename' | 'pageStart' | 'pageEnd'>;

/** A row but for its vector. */
interface Place {
  readonly id: string;
  readonly rowId: bigint;
  readonly source: Source;
}

/** What tells how the vectors of a table are compared. */
export type Comparing = Pick<IndexRef, 'dimensions' | 'metric'>;

/** The numbers of all vectors of a batch, one after the other. */
const numbersOf = (batch: RecordBatch, width: number): readonly Float32Array[] => {
  const column = batch.getChild('vector') as Vector<FixedSizeList<Float32>> | null;
  return (column?.data ?? []).map(({ children, length }) => {
    const values: unknown = children[0]?.values;
    if (!(values instanceof Float32Array) || values.length !== length * width || column?.nullCount !== 0)
      throw new Error('the vectors of a table have an unexpected form');
    return values;
  });
};

/** Rows of one file, or of none, share what is said of it. */
const shareSources = (): ((source: Source) => Source) => {
  let last: Source = { jobId: null, filename: null, pageStart: null, pageEnd: null };
  return (source) => {
    const { jobId, filename, pageStart, pageEnd } = source;
    const { jobId: lastJob, filename: lastName } = last;
    const same = jobId === lastJob && filename === lastName;
    if (same && pageStart === last.pageStart && pageEnd === last.pageEnd) return last;
    // Equal strings of an answer are not one string.
    last = same ? { jobId: lastJob, filename: lastName, pageStart, pageEnd } : source;
    return last;
  };
};

const placesOf = (batch: RecordBatch, share: (source: Source) => Source): readonly Place[] => {
  const [id, rowId] = [columnOf<string>(batch, 'id'), columnOf<bigint>(batch, '_rowid')];
  const [jobId, filename] = [columnOf<string | null>(batch, 'job_id'), columnOf<string | null>(batch, 'filename')];
  const [pageStart, pageEnd] = [
    columnOf<number | null>(batch, 'page_start'),
    columnOf<number | null>(batch, 'page_end'),
  ];
  return Array.from({ length: batch.numRows }, (_, at) => ({
    id: id(at),
    rowId: rowId(at),
    source: share({ jobId: jobId(at), filename: filename(at), pageStart: pageStart(at), pageEnd: pageEnd(at) }),
  }));
};

/**
 * Reads a table that stands on one version into memory; null where its vectors are better searched by the engine, or where
 * nobody wants them any more.
 * @param rows Rows of the table that are no tombstones.
 */
export const loadRows = async (
  table: Table,
  rows: number,
  { dimensions, metric }: Comparing,
  isWanted: () => boolean,
): Promise<ResidentRows | null> => {
  const width = paddedDimensions(dimensions);
  const keeping = keepVectors({ rows, width, metric });
  const places: Place[] = [];
  const share = shareSources();
  const query = table
    .query()
    .where(live)
    .select([...keptColumns, 'vector'])
    .withRowId();
  for await (const batch of query) {
    if (!isWanted()) return null;
    let place = places.length;
    if (place + batch.numRows > rows) throw new Error('a table has more rows than it counts');
    for (const numbers of numbersOf(batch, width)) {
      keeping.fill(place, numbers);
      place += numbers.length / width;
    }
    places.push(...placesOf(batch, share));
  }
  if (places.length !== rows) throw new Error('a table has fewer rows than it counts');
  const vectors = await keeping.finish(async () => {
    await setImmediate();
    if (!isWanted()) throw new Error('nobody wants these rows any more');
  });
  if (vectors === null) return null;
  return {
    nearest: (vector, limit, columns) => {
      const inline = columns.every((name) => kept.has(name));
      return (
        vectors.nearest(vector, limit)?.flatMap(({ place, score }) => {
          const found = places[place];
          if (found === undefined) return [];
          const { id, rowId, source } = found;
          const row = inline ? { id, text: null, metadata: {}, vector: null, ...source } : null;
          return { id, rowId, row, searched: null, score };
        }) ?? null
      );
    },
  };
};
