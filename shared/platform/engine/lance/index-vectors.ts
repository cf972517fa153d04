import type { Index, Table } from '@lancedb/lancedb';
import type { IndexRef, VectorIndexState } from '../port.ts';
import { findsNearest } from './check-index.ts';
import { indexNames } from './create-table.ts';
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

/** What an index of so many segments over so many numbers is for those who search it. */
export const judgeSegments = (segments: number, floats: number): VectorIndexState => {
  if (segments === 0) return 'missing';
  if (segments > Math.max(mostSegments, floats / floatsPerSegment)) return 'worn';
  return segments === 1 || floats > renewedFloats ? 'whole' : 'grown';
};

/** What has become of the vector index. */
export const vectorIndexState = async (table: Table, ref: IndexRef): Promise<VectorIndexState> => {
  const rows = await table.countRows(live);
  const floats = rows * paddedDimensions(ref.dimensions);
  if (rows < trainableRows || floats <= flatBelowFloats) return 'needless';
  return judgeSegments((await table.indexStats(indexNames.vector))?.numIndices ?? 0, floats);
};

/**
 * Builds the vector index over all rows that the table has now, in place of the one that is there. Others may merge rows
 * into the table meanwhile, but not compact it.
 */
export const buildVectorIndex = async (table: Table, ref: IndexRef): Promise<void> => {
  const lancedb = await import('@lancedb/lancedb');
  const build = (config: Index): Promise<void> =>
    table.createIndex('vector', { config, name: indexNames.vector, replace: true });
  const distanceType = ref.metric === 'cosine' ? 'cosine' : 'l2';
  await build(lancedb.Index.ivfRq({ numBits: 4, distanceType }));
  // Rounding is relative to how far the rows of a partition lie from its middle, and a few that lie far away spoil it.
  if (!(await findsNearest(table, ref))) await build(lancedb.Index.ivfFlat({ distanceType }));
};
