import type { Table } from '@lancedb/lancedb';
import { dropIndex, indexNames } from './table-indexes.ts';

/** Versions of a table that stay readable. */
export interface KeptVersions {
  readonly keepSeconds: number;
  /** None: the table is new. */
  readonly keepVersions: readonly number[];
}

/**
 * Returns the time before which versions are removed. Cleanup goes by time only, and a tag on an old version makes it fail. To
 * keep a version, the cut is set before it. The newest one before the kept seconds is kept too, because it was read in them.
 */
const cleanupCut = async (table: Table, { keepSeconds, keepVersions }: KeptVersions, now: Date): Promise<Date> => {
  const cut = now.getTime() - keepSeconds * 1_000;
  if (keepVersions.length === 0) return new Date(cut);
  const versions = (await table.listVersions())
    .map(({ version, timestamp }) => ({ version, time: timestamp.getTime() }))
    .toSorted((one, other) => one.time - other.time);
  const readAtCut = versions.findLast(({ time }) => time <= cut);
  const kept = versions.filter((one) => one === readAtCut || keepVersions.includes(one.version));
  // Timestamps are read in milliseconds but stored in nanoseconds.
  return new Date(Math.min(cut, ...kept.map(({ time }) => time - 1)));
};

/**
 * Compacts a table, extends its indexes and removes old versions. The index on token groups is dropped: to extend it, the
 * engine would read it group by group, with a thousand sequential requests to the object store.
 */
export const compactTable = async (table: Table, kept: KeptVersions, now: Date): Promise<void> => {
  const cleanupOlderThan = await cleanupCut(table, kept, now);
  await dropIndex(table, indexNames.groups);
  await table.optimize({ cleanupOlderThan });
};
