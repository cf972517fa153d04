import type { Table } from '@lancedb/lancedb';
import { journalId } from './journal.ts';

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

/** Removes tombstones that mask nothing, compacts, brings all indexes up to date and removes versions that nobody needs. */
export const maintainTable = async (table: Table, retention: Retention, now: Date): Promise<void> => {
  const settledTombstones = `deleted AND NOT masks AND id <> '${journalId}'`;
  if ((await table.countRows(settledTombstones)) > 0) await table.delete(settledTombstones);
  await table.optimize({ cleanupOlderThan: await cleanupCut(table, retention, now) });
};
