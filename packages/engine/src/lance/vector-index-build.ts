import type { Index, Table } from '@lancedb/lancedb';
import type { IndexRef, VectorIndexState } from '../port.ts';
import { openRecallCheck } from './vector-index-recall.ts';
import { indexNames } from './create-table.ts';
import { coarseFrom } from './vector-query.ts';
import { live } from './read-layers.ts';
import { paddedDimensions } from '../padded-dimensions.ts';

/** Numbers up to which comparing all vectors is as fast as an index. */
const flatBelowFloats = 1_000_000;
/**
 * Segments up to which a vector index is extended. Beyond, it is `worn`. Each segment slows every search by about 2 ms
 * at 1,536 dimensions, mostly for rotating the query.
 */
const maxSegments = 8;
/**
 * Larger indexes may have one segment for each multiple of this, so that the share of time spent on building stays the
 * same.
 */
const floatsPerSegment = 100_000_000;
/**
 * Numbers up to which an index that has only grown is rebuilt (256 MB). Compaction rewrites all fragments that a new
 * vector index covers, which delays the log. For a larger table that costs too much for a few segments.
 */
const renewedFloats = 64_000_000;
/** Rows that the training of the vector index needs. */
const trainableRows = 256;

/**
 * Partition size that the engine aims at when it builds. If partitions have `dividedFrom` times as many rows on
 * average, the engine divides some as it extends the index. That takes as long as a build and delays the log.
 */
const partitionRows = 4_096;
const dividedFrom = 2;
/** Rows up to which no index is divided. */
const undividedRows = dividedFrom * partitionRows;

/**
 * Returns whether an index over `builtRows` rows would soon be divided, which takes long. For long vectors a division
 * costs less than the compaction that follows a build.
 */
export const isOutgrown = (rows: number, builtRows: number, dimensions: number): boolean => {
  const undivided = dividedFrom * partitionRows * Math.floor(builtRows / partitionRows);
  return dimensions < coarseFrom && rows > Math.max(undividedRows, undivided);
};

/** Returns the state of an index by its segments and the numbers that it covers. */
export const judgeSegments = (segments: number, floats: number): VectorIndexState => {
  if (segments === 0) return 'missing';
  if (segments > Math.max(maxSegments, floats / floatsPerSegment)) return 'worn';
  return segments === 1 || floats > renewedFloats ? 'whole' : 'grown';
};

/**
 * Returns the state of the vector index of a table. `builtRows` is null if the number of rows at its build is not
 * known.
 */
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

/** Kind of vector index, and the share of the nearest rows that it must find to be used. */
interface Kind {
  readonly config: Index;
  readonly minRecall: number;
}

/**
 * Lists kinds, the cheapest first. Quantization is relative to the distances of rows from the middle of their
 * partition, and a few far rows can spoil it.
 */
const kindsFor = async ({ dimensions, metric }: IndexRef): Promise<readonly Kind[]> => {
  const { Index } = await import('@lancedb/lancedb');
  const distanceType = metric === 'cosine' ? 'cosine' : 'l2';
  const coarse: Kind = { config: Index.ivfRq({ numBits: 2, distanceType }), minRecall: 0.97 };
  return [
    ...(dimensions < coarseFrom ? [] : [coarse]),
    { config: Index.ivfRq({ numBits: 4, distanceType }), minRecall: 0.9 },
    { config: Index.ivfFlat({ distanceType }), minRecall: 0 },
  ];
};

/**
 * Builds the vector index over all current rows of the table and replaces the existing one. Uses the cheapest kind
 * whose recall is as required. Other writers may merge rows into the table meanwhile, but not compact it. Returns the
 * number of rows in the index.
 */
export const buildVectorIndex = async (table: Table, ref: IndexRef): Promise<number> => {
  const rows = await table.countRows(live);
  const recall = await openRecallCheck(table, ref);
  for (const { config, minRecall } of await kindsFor(ref)) {
    await table.createIndex('vector', { config, name: indexNames.vector, replace: true });
    if (minRecall === 0 || (await recall()) >= minRecall) break;
  }
  return rows;
};
