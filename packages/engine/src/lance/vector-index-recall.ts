import type { FixedSizeList, Float32, RecordBatch, Table as ArrowTable, Vector } from 'apache-arrow';
import type { Table } from '@lancedb/lancedb';
import { paddedDimensions } from '../padded-dimensions.ts';
import type { IndexRef } from '../port.ts';
import { columnOf, mapRows } from './decode-rows.ts';
import { targetOf } from './search-table.ts';
import { probingOf, rowsByIndex } from './vector-query.ts';

/**
 * Stored vectors that are used as queries. Large tables get fewer, because each is compared with all numbers of the
 * table.
 */
const maxQueries = 20;
const minQueries = 5;
const comparedFloats = 320_000_000;

/** Nearest rows that each query returns. */
const nearest = 10;
/** Relative difference of scores that comes from rounding: the engine sums in 32 bits. */
const tolerance = 1e-5;

/** Returns stored vectors at even distances in the table. Repeated calls return the same ones. */
const drawVectors = async (table: Table, rows: number, count: number): Promise<readonly Float32Array[]> => {
  const offsets = Array.from({ length: count }, (_, at) => Math.floor(((at + 0.5) * rows) / count));
  const answer: ArrowTable = await table.takeOffsets(offsets).select(['vector']).toArrow();
  const vector = columnOf<Vector<Float32>>(answer, 'vector');
  return mapRows(answer, (position) => vector(position).toArray());
};

const dotOf = (one: Float32Array, other: Float32Array): number => {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
};

/** A vector to search with, its squared length, and the best scores of all rows, the highest first. */
interface RecallQuery {
  readonly vector: Float32Array;
  readonly squared: number;
  readonly best: number[];
}

const recallQueryOf = (vector: Float32Array): RecallQuery => ({ vector, squared: dotOf(vector, vector), best: [] });

/** Inserts a score if it is among the best. */
const keepBest = (best: number[], score: number): void => {
  if (best.length === nearest && score <= (best.at(-1) ?? 0)) return;
  const place = best.findIndex((other) => other < score);
  best.splice(place < 0 ? best.length : place, 0, score);
  best.length = Math.min(best.length, nearest);
};

/** Returns the numbers of all vectors of a batch, one after the other. */
const numbersOf = (batch: RecordBatch, width: number): readonly Float32Array[] => {
  const column = batch.getChild('vector') as Vector<FixedSizeList<Float32>> | null;
  return (column?.data ?? []).map((piece) => {
    const numbers: unknown = piece.children[0]?.values;
    if (!(numbers instanceof Float32Array) || numbers.length !== piece.length * width)
      throw new Error('the vectors of a table have an unexpected Arrow type');
    return numbers;
  });
};

/** Compares all rows with all queries in one pass over the vectors of the table. */
const compareAll = async (
  table: Table,
  { dimensions, metric }: IndexRef,
  queries: readonly RecallQuery[],
): Promise<void> => {
  const width = paddedDimensions(dimensions);
  const compare = (row: Float32Array): void => {
    const squaredRow = dotOf(row, row);
    for (const { vector, squared, best } of queries) {
      const product = dotOf(vector, row);
      keepBest(
        best,
        metric === 'cosine' ? product / Math.sqrt(squared * squaredRow) : 2 * product - squared - squaredRow,
      );
    }
  };
  for await (const batch of table.query().select(['vector']))
    for (const numbers of numbersOf(batch, width))
      for (let from = 0; from < numbers.length; from += width) compare(numbers.subarray(from, from + width));
};

/** Returns the share of the nearest rows that the current vector index of a table finds. */
export type RecallCheck = () => Promise<number>;

/** Computes the exact nearest rows of some stored vectors, to measure the recall of any index over the same rows. */
export const openRecallCheck = async (table: Table, ref: IndexRef): Promise<RecallCheck> => {
  const rows = await table.countRows();
  const affordable = Math.floor(comparedFloats / (rows * ref.dimensions));
  const count = Math.max(minQueries, Math.min(maxQueries, affordable));
  const bare = { mode: 'dense', vector: new Float32Array(), topK: nearest } as const;
  const target = await targetOf(table, ref, { ...bare, includeText: false, includeMetadata: false });
  const queries = (await drawVectors(table, rows, count)).map(recallQueryOf);
  await compareAll(table, ref, queries);
  return async () => {
    let [found, wanted] = [0, 0];
    for (const { vector, best } of queries) {
      const last = best.at(-1) ?? 0;
      const byIndex = await rowsByIndex(target, vector, probingOf(rows, rows), nearest);
      // A row that is as near as the last one is an equally good result.
      found += byIndex.filter(({ score }) => score >= last - tolerance * Math.abs(last)).length;
      wanted += best.length;
    }
    return wanted === 0 ? 1 : found / wanted;
  };
};
