import type { Table } from '@lancedb/lancedb';
import { dropIndex, indexNames } from './table-indexes.ts';

/** Versions of a table that stay readable. */
export interface KeptVersions {
  readonly keepSeconds: number;
  readonly keepVersions: readonly number[];
}

// Cleanup goes by time only, and a tag on an old version makes it fail. To keep a version, the cut is set before it.
const cleanupCut = async (table: Table, { keepSeconds, keepVersions }: KeptVersions, now: Date): Promise<Date> => {
  const cut = now.getTime() - keepSeconds * 1_000;
  if (keepVersions.length === 0) return new Date(cut);
  const kept = new Set(keepVersions);
  const times = (await table.listVersions())
    .filter(({ version }) => kept.has(version))
    .map(({ timestamp }) => timestamp.getTime());
  // Timestamps are read in milliseconds but stored in nanoseconds.
  return new Date(Math.min(cut, ...times.map((time) => time - 1)));
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
