import type { Table } from '@lancedb/lancedb';
import { groupsIndexConfig, indexNames } from './create-table.ts';
import { journalId } from './journal.ts';

/** Versions of a table that its maintenance keeps. */
export interface Retention {
  readonly keepSeconds: number;
  readonly keepVersions: readonly number[];
}

// Cleanup goes by time only, and a tag on an old version makes it fail. To keep a version, the cut is set before it.
const cleanupCut = async (table: Table, retention: Retention, now: Date): Promise<Date> => {
  const cut = now.getTime() - retention.keepSeconds * 1_000;
  if (retention.keepVersions.length === 0) return new Date(cut);
  const kept = new Set(retention.keepVersions);
  const times = (await table.listVersions())
    .filter(({ version }) => kept.has(version))
    .map(({ timestamp }) => timestamp.getTime());
  // Timestamps are read in milliseconds but stored in nanoseconds.
  return new Date(Math.min(cut, ...times.map((time) => time - 1)));
};

/** Drops the index on token groups, unless an interrupted run has dropped it already. */
const dropGroupsIndex = async (table: Table): Promise<void> => {
  const indices = await table.listIndices();
  if (indices.some(({ name }) => name === indexNames.groups)) await table.dropIndex(indexNames.groups);
};

/** File in the temporary directory of an extension of the vector index. Tables have no files of this name. */
const partitionFile = /\bivf_\d+\.lance\b/;

/**
 * Compacts the table and updates its indexes. LanceDB 0.39.0 cannot join small partitions of a vector index if no vector is
 * new, as after a large deletion: it reads a temporary file that it has not written. The vector index is then dropped.
 * `vectorIndexState` reports whether the table needs another one.
 */
const optimize = async (table: Table, cleanupOlderThan: Date): Promise<void> => {
  try {
    await table.optimize({ cleanupOlderThan });
  } catch (error) {
    if (!(error instanceof Error && partitionFile.test(error.message))) throw error;
    await table.dropIndex(indexNames.vector);
    await table.optimize({ cleanupOlderThan });
  }
};

/**
 * Removes tombstones that mask nothing, compacts the table, updates all indexes and removes versions past their
 * retention. The index on token groups is dropped and rebuilt. To extend it, the engine would read it group by group: a
 * thousand sequential requests to the object store.
 */
export const compactTable = async (table: Table, retention: Retention, now: Date): Promise<void> => {
  const needlessTombstones = `deleted AND NOT masks AND id <> '${journalId}'`;
  const [cleanupOlderThan, tombstones, groupsIndex] = await Promise.all([
    cleanupCut(table, retention, now),
    table.countRows(needlessTombstones),
    groupsIndexConfig(),
    dropGroupsIndex(table),
  ]);
  if (tombstones > 0) await table.delete(needlessTombstones);
  await optimize(table, cleanupOlderThan);
  await table.createIndex('kv_groups', groupsIndex);
};
