import type { Table } from '@lancedb/lancedb';
import type { DistanceMetric, IndexRef } from '../port.ts';
import { indexNames } from './create-table.ts';
import { live } from './read-layers.ts';
import { paddedDimensions } from './table-schema.ts';

/** Numbers up to which comparing all vectors is as fast as asking an index. */
const flatBelowFloats = 1_000_000;
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
  const times = (await table.listVersions()).filter(({ version }) => kept.has(version)).map(({ timestamp }) => timestamp.getTime());
  // Times are read in milliseconds but kept in nanoseconds.
  return new Date(Math.min(cut, ...times.map((time) => time - 1)));
};

const indexVectors = async (table: Table, dimensions: number, metric: DistanceMetric): Promise<void> => {
  if ((await table.indexStats(indexNames.vector)) !== undefined) return;
  const rows = await table.countRows(live);
  if (rows < trainableRows || rows * paddedDimensions(dimensions) <= flatBelowFloats) return;
  const { Index } = await import('@lancedb/lancedb');
  const config = Index.ivfRq({ numBits: 4, distanceType: metric === 'cosine' ? 'cosine' : 'l2' });
  await table.createIndex('vector', { config, name: indexNames.vector });
};

/** Removes tombstones that mask nothing, compacts, brings all indexes up to date and removes versions that nobody needs. */
export const maintainTable = async (table: Table, ref: IndexRef, retention: Retention, now: Date): Promise<void> => {
  const settledTombstones = 'deleted AND NOT masks';
  if ((await table.countRows(settledTombstones)) > 0) await table.delete(settledTombstones);
  await table.optimize({ cleanupOlderThan: await cleanupCut(table, retention, now) });
  await indexVectors(table, ref.dimensions, ref.metric);
};
