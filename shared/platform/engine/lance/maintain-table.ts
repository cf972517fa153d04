import type { Table } from '@lancedb/lancedb';
import type { DistanceMetric, IndexRef } from '../port.ts';
import { indexNames } from './create-table.ts';
import { journalId } from './journal.ts';
import { live } from './read-layers.ts';
import { paddedDimensions } from './table-schema.ts';

/** Numbers up to which comparing all vectors is as fast as asking an index. */
const flatBelowFloats = 1_000_000;
/** Segments of the vector index up to which it is extended; beyond, it is built anew. */
const minSegments = 8;
/** Larger indexes may have a segment for each of these, so that the share of time spent on building stays the same. */
const floatsPerSegment = 20_000_000;
/** Rows that the training of the vector index needs. */
const trainableRows = 256;

/** Which versions of a table outlive its maintenance. */
export interface Retention {
  readonly keepSeconds: number;
  readonly keepVersions: readonly number[];
}

// Cleanup knows time alone, and a tag on an old version makes it fail: to keep a version, the cut moves before it.
const cleanupCut = async (table: Table, retention: Retention, now: Date): Promise<Date> => {
  const cut = now.getTime() - retention.keepSeconds * 1_000;
  if (retention.keepVersions.length === 0) return new Date(cut);
  const kept = new Set(retention.keepVersions);
  const times = (await table.listVersions())
    .filter(({ version }) => kept.has(version))
    .map(({ timestamp }) => timestamp.getTime());
  // Times are read in milliseconds but kept in nanoseconds.
  return new Date(Math.min(cut, ...times.map((time) => time - 1)));
};

const vectorSegments = async (table: Table): Promise<number> =>
  (await table.indexStats(indexNames.vector))?.numIndices ?? 0;

// Each run adds a segment to the vector index and a fragment that compaction keeps apart, and both slow every search down.
const dropWornVectorIndex = async (table: Table, floats: number): Promise<void> => {
  if ((await vectorSegments(table)) > Math.max(minSegments, floats / floatsPerSegment))
    await table.dropIndex(indexNames.vector);
};

const indexVectors = async (table: Table, rows: number, floats: number, metric: DistanceMetric): Promise<void> => {
  if (rows < trainableRows || floats <= flatBelowFloats || (await vectorSegments(table)) > 0) return;
  const { Index } = await import('@lancedb/lancedb');
  const config = Index.ivfRq({ numBits: 4, distanceType: metric === 'cosine' ? 'cosine' : 'l2' });
  await table.createIndex('vector', { config, name: indexNames.vector });
};

/** Removes tombstones that mask nothing, compacts, brings all indexes up to date and removes versions that nobody needs. */
export const maintainTable = async (table: Table, ref: IndexRef, retention: Retention, now: Date): Promise<void> => {
  const settledTombstones = `deleted AND NOT masks AND id <> '${journalId}'`;
  if ((await table.countRows(settledTombstones)) > 0) await table.delete(settledTombstones);
  const rows = await table.countRows(live);
  const floats = rows * paddedDimensions(ref.dimensions);
  await dropWornVectorIndex(table, floats);
  await table.optimize({ cleanupOlderThan: await cleanupCut(table, retention, now) });
  await indexVectors(table, rows, floats, ref.metric);
};
