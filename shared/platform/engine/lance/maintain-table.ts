import type { Table } from '@lancedb/lancedb';
import { groupsIndexConfig, indexNames } from './create-table.ts';
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

/** A run that died has dropped it already. */
const dropGroupsIndex = async (table: Table): Promise<void> => {
  const indices = await table.listIndices();
  if (indices.some(({ name }) => name === indexNames.groups)) await table.dropIndex(indexNames.groups);
};

/**
 * Removes tombstones that mask nothing, compacts, brings all indexes up to date and removes versions past their retention.
 * The index on token groups is dropped and built again. To extend it, the engine would read it group by group: a thousand
 * requests to the object store, one after the other.
 */
export const maintainTable = async (table: Table, retention: Retention, now: Date): Promise<void> => {
  const settledTombstones = `deleted AND NOT masks AND id <> '${journalId}'`;
  const [cleanupOlderThan, tombstones, groupsIndex] = await Promise.all([
    cleanupCut(table, retention, now),
    table.countRows(settledTombstones),
    groupsIndexConfig(),
    dropGroupsIndex(table),
  ]);
  if (tombstones > 0) await table.delete(settledTombstones);
  await table.optimize({ cleanupOlderThan });
  await table.createIndex('kv_groups', groupsIndex);
};
