import type { Index, Table } from '@lancedb/lancedb';
import type { IndexRef, VectorIndexState } from '../port.ts';
import { openRecallCheck } from './check-index.ts';
import { indexNames } from './create-table.ts';
import { coarseFrom } from './nearest-rows.ts';
import { live } from './read-layers.ts';
import { paddedDimensions } from './table-schema.ts';

/** Numbers up to which comparing all vectors is as fast as asking an index. */
const flatBelowFloats = 1_000_000;
/**
 * Segments of the vector index up to which it is extended; beyond, it is worn. Each slows every search down, by about 2 ms
 * at 1,536 dimensions, where turning the query takes most of that.
 */
const mostSegments = 8;
/** Larger indexes may have a segment for each of these, so that the share of time spent on building stays the same. */
const floatsPerSegment = 100_000_000;
/**
 * Numbers up to which an index that has merely grown is built anew, 256 MB of them: compaction rewrites all fragments that
 * a new vector index covers, in the log, and that would be for a few parts too much of a larger table.
 */
const renewedFloats = 64_000_000;
/** Rows that the training of the vector index needs. */
const trainableRows = 256;

/**
 * Rows of a partition that the engine aims at when it builds, and so many times as many on average from which it divides some
 * partitions as it extends the index: that takes as long as a build, and holds up the log.
 */
const partitionRows = 4_096;
const dividedFrom = 2;
/** Rows up to which no index is divided. */
const undividedRows = dividedFrom * partitionRows;

/**
 * Whether an index that was built over so many rows would soon be divided, which takes long. Of long vectors, that costs less
 * than the compaction which follows a build.
 */
export const isOutgrown = (rows: number, builtRows: number, dimensions: number): boolean => {
  const undivided = dividedFrom * partitionRows * Math.floor(builtRows / partitionRows);
  return dimensions < coarseFrom && rows > Math.max(undividedRows, undivided);
};

/** What an index of so many segments over so many numbers is for those who search it. */
export const judgeSegments = (segments: number, floats: number): VectorIndexState => {
  if (segments === 0) return 'missing';
  if (segments > Math.max(mostSegments, floats / floatsPerSegment)) return 'worn';
  return segments === 1 || floats > renewedFloats ? 'whole' : 'grown';
};

/** What has become of the vector index, which was built over so many rows; null where nobody knows. */
export const vectorIndexState = async (
  table: Table,
  ref: IndexRef,
  builtRows: number | null,
): Promise<VectorIndexState> => {
  const rows = await table.countRows(live);
  const floats = rows * paddedDimensions(ref.dimensions);
  if (rows < trainableRows || floats <= flatBelowFloats) return 'needless';
  const state = judgeSegments((await table.indexStats(indexNames.vector))?.numIndices ?? 0, floats);
  return state !== 'missing' && builtRows !== null && isOutgrown(rows, builtRows, ref.dimensions) ? 'worn' : state;
};

/** A vector index that a table may have, and the share of the nearest rows that it has to find for that. */
interface Kind {
  readonly config: Index;
  readonly leastRecall: number;
}

/** From the cheapest on. Rounding is relative to how far rows lie from the middle of their partition, which few can spoil. */
const kindsFor = async ({ dimensions, metric }: IndexRef): Promise<readonly Kind[]> => {
  const { Index } = await import('@lancedb/lancedb');
  const distanceType = metric === 'cosine' ? 'cosine' : 'l2';
  const coarse: Kind = { config: Index.ivfRq({ numBits: 2, distanceType }), leastRecall: 0.97 };
  return [
    ...(dimensions < coarseFrom ? [] : [coarse]),
    { config: Index.ivfRq({ numBits: 4, distanceType }), leastRecall: 0.9 },
    { config: Index.ivfFlat({ distanceType }), leastRecall: 0 },
  ];
};

/**
 * Builds the vector index over all rows that the table has now, in place of the one that is there: the cheapest kind that
 * finds what a comparison finds. Others may merge rows into the table meanwhile, but not compact it. Tells how many they are.
 */
export const buildVectorIndex = async (table: Table, ref: IndexRef): Promise<number> => {
  const rows = await table.countRows(live);
  const recall = await openRecallCheck(table, ref);
  for (const { config, leastRecall } of await kindsFor(ref)) {
    await table.createIndex('vector', { config, name: indexNames.vector, replace: true });
    if (leastRecall === 0 || (await recall()) >= leastRecall) break;
  }
  return rows;
};
