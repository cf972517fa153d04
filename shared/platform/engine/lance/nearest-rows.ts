import type { Table, VectorQuery } from '@lancedb/lancedb';
import { memoizePerOwner } from '../../../kernel/memoize.ts';
import { allOf } from './compile-filter.ts';
import { indexNames } from './create-table.ts';
import { live } from './read-layers.ts';
import { type Found, run, type Target } from './search-table.ts';
import { paddedDimensions } from './table-schema.ts';

/**
 * Matching rows up to which a filtered search visits every partition and refines generously, which finds all that a full
 * comparison finds. That one would read the vectors of the whole table, unless an index answers the whole filter.
 */
const fewMatches = 2_000;
const everyPartition = 1_000_000;

/** How the vector index of one table is asked. */
export interface Probing {
  /** Partitions to visit. */
  readonly probes: number;
  /** A number that rows which match do not exceed. */
  readonly most: number;
  /** Whether a filter leaves so few rows that all of them can be looked at closely. */
  readonly few: boolean;
}

// Partitions to visit: measured for a recall of about .99, growing with the table, and again as a filter thins it out.
const probesFor = (rows: number, selectivity: number): number =>
  Math.ceil(20 * Math.max(1, rows / 100_000) ** 0.57 * Math.min(4, selectivity ** -0.25));

/** How the vector index of a table with so many rows is asked, of which so many match. */
export const probingOf = (rows: number, matches: number): Probing => ({
  probes: probesFor(rows, matches / rows),
  most: matches,
  few: false,
});

/** What a vector index is asked about. */
interface Shape {
  readonly rows: number;
  readonly indexed: boolean;
}

/** Those that are read stand on one version for good. */
const shapeOf = memoizePerOwner(async (table: Table): Promise<Shape> => {
  const [rows, stats] = await Promise.all([table.countRows(), table.indexStats(indexNames.vector)]);
  return { rows, indexed: stats !== undefined };
});

/** Decides once per search and table how the vector index is asked; null compares all rows. */
export const planProbing = async ({ table, where, most, exact }: Target): Promise<Probing | null> => {
  if (exact) return null;
  const { rows, indexed } = await shapeOf(table);
  if (!indexed) return null;
  if (where === undefined) return probingOf(rows, rows);
  const matches = most <= fewMatches ? most : await table.countRows(where);
  if (matches <= fewMatches) return { probes: everyPartition, most: matches, few: true };
  return probingOf(rows, matches);
};

/** Numbers of a vector from which on an index may round each to two bits. */
export const coarseFrom = 1_024;

// The index compares rounded vectors; this many times the limit are then compared as they are. Rounding blurs short
// vectors most: of 100 numbers, three times finds .998 and twice .996 of the nearest rows, of 384 both find all. Where it
// is coarse, of 1,536, three times finds all and twice .998.
const refinement = ({ few }: Probing, dimensions: number, limit: number): number => {
  if (few) return Math.max(3, Math.min(10, Math.ceil(fewMatches / limit)));
  const blurred = dimensions < 256 || dimensions >= coarseFrom;
  return blurred && limit <= 50 ? 3 : 2;
};

const probe = (query: VectorQuery, probing: Probing | null, dimensions: number, limit: number): VectorQuery =>
  probing === null
    ? query.bypassVectorIndex()
    : query.nprobes(probing.probes).refineFactor(refinement(probing, dimensions, limit));

// Rounding takes the cosine of parallel vectors a little beyond 1.
const cosineOf = (distance: number): number => Math.max(-1, Math.min(1, 1 - distance));

/** The `limit` nearest rows that one table gives to a question; fewer where its index is asked and has lost some. */
export const askedRows = (
  target: Target,
  vector: Float32Array,
  probing: Probing | null,
  limit: number,
): Promise<readonly Found[]> => {
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

/**
 * The `limit` nearest rows of one table, scored by cosine similarity or negative squared euclidean distance.
 * @param planned How the engine is asked; undefined where that is to be decided once it has to be.
 */
export const nearestRows = async (
  target: Target,
  vector: Float32Array,
  planned: Probing | null | undefined,
  limit: number,
): Promise<readonly Found[]> => {
  const remembered = target.resident?.nearest(vector, limit, target.columns);
  if (remembered != null) return remembered;
  const probing = planned === undefined ? await planProbing(target) : planned;
  const found = await askedRows(target, vector, probing, limit);
  if (probing === null || found.length >= limit) return found;
  // The nearest partitions may hold fewer rows than are wanted, or than a filter lets through.
  const widest = { ...probing, probes: everyPartition };
  const all = probing.probes < everyPartition ? await askedRows(target, vector, widest, limit) : found;
  if (all.length >= Math.min(limit, probing.most)) return all;
  // An index loses rows where the distances of its rounded vectors are more than 32 bits can hold.
  const matches = await target.table.countRows(allOf(target.where, live));
  return all.length < Math.min(limit, matches) ? askedRows(target, vector, null, limit) : all;
};
