import type { Table, VectorQuery } from '@lancedb/lancedb';
import { memoizePerOwner } from '../../../../shared/kernel/memoize.ts';
import { paddedDimensions } from '../padded-dimensions.ts';
import type { TableHit } from '../segments/base-table.ts';
import { indexNames } from './table-indexes.ts';
import { run, type Target } from './search-table.ts';

/**
 * Matching rows up to which a filtered search visits every partition and refines generously. That finds all rows that a
 * full comparison finds, which would read the vectors of the whole table unless an index covers the whole filter.
 */
const fewMatches = 2_000;
const everyPartition = 1_000_000;

/** Parameters of a query to the vector index of one table. */
export interface Probing {
  /** Partitions to visit. */
  readonly probes: number;
  /** Upper bound of the rows that match. */
  readonly maxMatches: number;
  /** Whether a filter leaves so few rows that all of them can be compared exactly. */
  readonly few: boolean;
}

// Partitions to visit, measured for a recall of about .99. The number grows with the table and as a filter leaves fewer
// rows.
const probesFor = (rows: number, selectivity: number): number =>
  Math.ceil(20 * Math.max(1, rows / 100_000) ** 0.57 * Math.min(4, selectivity ** -0.25));

/** Returns the parameters of an index query for a table of `rows` rows, `matches` of them matching the filter. */
export const probingOf = (rows: number, matches: number): Probing => ({
  probes: probesFor(rows, matches / rows),
  maxMatches: matches,
  few: false,
});

/** Properties of a table with a vector index. */
interface Shape {
  readonly rows: number;
  readonly indexed: boolean;
}

/** Tables that are read have a fixed version, so the result is remembered. */
const shapeOf = memoizePerOwner(async (table: Table): Promise<Shape> => {
  const [rows, stats] = await Promise.all([table.countRows(), table.indexStats(indexNames.vector)]);
  return { rows, indexed: stats !== undefined };
});

/** Chooses the index parameters of a search. Null compares all rows. */
export const planProbing = async ({ table, where, maxMatches: most, exact }: Target): Promise<Probing | null> => {
  if (exact) return null;
  const { rows, indexed } = await shapeOf(table);
  if (!indexed) return null;
  if (where === undefined) return probingOf(rows, rows);
  const matches = most <= fewMatches ? most : await table.countRows(where);
  if (matches <= fewMatches) return { probes: everyPartition, maxMatches: matches, few: true };
  return probingOf(rows, matches);
};

/** Dimensions from which an index may quantize each number to two bits. */
export const coarseFrom = 1_024;

// The index compares quantized vectors. This many times the limit are then compared exactly. Quantization blurs short
// vectors most: of 100 numbers, three times finds .998 and twice .996 of the nearest rows; of 384 numbers both find
// all. With coarse quantization of 1,536 numbers, three times finds all and twice .998.
const refinement = ({ few }: Probing, dimensions: number, limit: number): number => {
  if (few) return Math.max(3, Math.min(10, Math.ceil(fewMatches / limit)));
  const blurred = dimensions < 256 || dimensions >= coarseFrom;
  return blurred && limit <= 50 ? 3 : 2;
};

const probe = (query: VectorQuery, probing: Probing | null, dimensions: number, limit: number): VectorQuery =>
  probing === null
    ? query.bypassVectorIndex()
    : query.nprobes(probing.probes).refineFactor(refinement(probing, dimensions, limit));

// Rounding takes the cosine of parallel vectors slightly beyond 1.
const cosineOf = (distance: number): number => Math.max(-1, Math.min(1, 1 - distance));

/** Returns the `limit` nearest rows by the vector index. Fewer if it has lost some. */
export const rowsByIndex = (
  target: Target,
  vector: Float32Array,
  probing: Probing | null,
  limit: number,
): Promise<readonly TableHit[]> => {
  const padded = new Float32Array(paddedDimensions(target.dimensions));
  padded.set(vector);
  const cosine = target.metric === 'cosine';
  const query = target.table
    .query()
    .nearestTo(padded)
    .distanceType(cosine ? 'cosine' : 'l2');
  return run(target, probe(query, probing, target.dimensions, limit), limit, '_distance', (far) =>
    cosine ? cosineOf(far) : 0 - far,
  );
};

/** Returns the `limit` nearest rows of a table, scored by cosine similarity or negative squared euclidean distance. */
export const nearestRows = async (
  target: Target,
  vector: Float32Array,
  probing: Probing | null,
  limit: number,
): Promise<readonly TableHit[]> => {
  const found = await rowsByIndex(target, vector, probing, limit);
  if (probing === null || found.length >= limit) return found;
  // The nearest partitions may contain fewer rows than requested, or than pass the filter.
  const widest = { ...probing, probes: everyPartition };
  const all = probing.probes < everyPartition ? await rowsByIndex(target, vector, widest, limit) : found;
  if (all.length >= Math.min(limit, probing.maxMatches)) return all;
  // An index loses rows if the distances of its quantized vectors exceed 32 bits.
  const matches = await target.table.countRows(target.where);
  return all.length < Math.min(limit, matches) ? rowsByIndex(target, vector, null, limit) : all;
};
