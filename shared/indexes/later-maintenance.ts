import { laterBy } from '../kernel/clock.ts';
import { hourMs, minuteMs } from '../kernel/durations.ts';
import { dueBy, whereDueBy } from '../db/due.ts';
import type { Table } from '../db/contracts.ts';
import type { IndexWriter, LaterMaintenance } from './contracts.ts';
import { dueIndexes } from './due-indexes.ts';

/**
 * Purges after which the files of an index contain no removed content. The first writes without it what has it, the second
 * compacts the table, the third removes old versions. One more is a reserve, for a run that fails.
 */
const maxPurges = 4;
/** Interval of runs of maintenance, so long that a large table is not rewritten for every deletion. */
const everyMs = 6 * hourMs;

/** Returns the runs of maintenance for each purge: together they take a day more than versions are kept. */
const runsPerPurge = (versionDays: number): number => 1 + versionDays;

/** Whether a run of maintenance purges. The others only repeat maintenance that has failed. @param left Runs after it. */
export const isPurge = (left: number, versionDays: number): boolean => left % runsPerPurge(versionDays) === 0;

/** Time after maintenance, without more of it, from which writes have paused. */
const pauseMs = minuteMs;

/** Notes of cleanups, folds and expiries share a partition of the index `due`, so that a sweep reads all at once. */
const [cleanups, folds, expiries] = ['LEFTOVERS', 'PAUSED', 'EXPIRY'];
const cleanupKey = (organizationId: string, indexId: string) => ({ pk: `${cleanups}#${organizationId}`, sk: indexId });
const foldKey = (organizationId: string, indexId: string) => ({ pk: `${folds}#${organizationId}`, sk: indexId });
const expiryNoteKey = (organizationId: string, indexId: string) => ({
  pk: `${expiries}#${organizationId}`,
  sk: indexId,
});

const workOf = (kind: string): LaterMaintenance['work'] =>
  kind === folds ? 'paused' : kind === expiries ? 'expiry' : 'purge';

const dueAt = (from: string): Date => laterBy(from, everyMs);

/** Notes of indexes in which rows expire. */
export const expiryNotes = (table: Table): Pick<IndexWriter, 'noteExpiry' | 'endExpiry'> => ({
  noteExpiry: async (organizationId, indexId, at) => {
    await table.update(expiryNoteKey(organizationId, indexId), {
      set: dueBy('leftovers', organizationId, new Date(at)),
    });
  },
  endExpiry: async ({ organizationId, id }) => {
    await table.delete(expiryNoteKey(organizationId, id));
  },
});

/**
 * Notes of indexes whose files contain removed content, and of those with many rows in segments. Neither depends on
 * further writes.
 */
export const laterMaintenance = (
  table: Table,
): Pick<
  IndexWriter,
  'notePendingCleanup' | 'dueMaintenance' | 'claimCleanup' | 'endCleanups' | 'noteFold' | 'endFold'
> => ({
  noteFold: async (organizationId, indexId, at) => {
    await table.update(foldKey(organizationId, indexId), {
      set: dueBy('leftovers', organizationId, laterBy(at, pauseMs)),
    });
  },
  endFold: async ({ organizationId, id }, at) => {
    await table.delete(foldKey(organizationId, id), whereDueBy(organizationId, new Date(at)));
  },
  notePendingCleanup: async ({ organizationId, id, versionDays }, at) => {
    await table.update(cleanupKey(organizationId, id), {
      set: { looks: maxPurges * runsPerPurge(versionDays) },
      setOnce: dueBy('leftovers', organizationId, dueAt(at)),
    });
  },
  dueMaintenance: async (until, limit) =>
    (await dueIndexes(table, 'leftovers', until, limit)).map(({ kind, organizationId, id }) => ({
      organizationId,
      id,
      work: workOf(kind),
    })),
  claimCleanup: async ({ organizationId, id }, at) => {
    const note = await table.update(cleanupKey(organizationId, id), {
      add: { looks: -1 },
      set: dueBy('leftovers', organizationId, dueAt(at)),
      condition: whereDueBy(organizationId, new Date(at)),
    });
    return (note?.['looks'] as number | undefined) ?? null;
  },
  endCleanups: async ({ organizationId, id }) => {
    await table.delete(cleanupKey(organizationId, id), { looks: { lte: 0 } });
  },
});
