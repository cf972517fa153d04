import { laterBy } from '../kernel/clock.ts';
import { hourMs } from '../kernel/durations.ts';
import { dueBy, whereDueBy } from '../db/due.ts';
import type { Table } from '../db/contracts.ts';
import type { IndexWriter } from './contracts.ts';
import { dueIndexes } from './due-indexes.ts';

/**
 * Runs of maintenance after which the files of an index contain no removed content. The first writes without it what has it,
 * the second compacts the table, the third removes old versions. One more is a reserve, for a run that fails.
 */
const maxCleanups = 4;
/** Interval of cleanups, so long that a large table is not rewritten for every deletion. All cleanups together take a day. */
const everyMs = 6 * hourMs;

const noteKey = (organizationId: string, indexId: string) => ({ pk: `LEFTOVERS#${organizationId}`, sk: indexId });

const dueAt = (from: string): Date => laterBy(from, everyMs);

/** Notes of indexes whose files contain removed content. Cleanup does not depend on further writes. */
export const pendingCleanups = (
  table: Table,
): Pick<IndexWriter, 'notePendingCleanup' | 'dueCleanups' | 'claimCleanup' | 'endCleanups'> => ({
  notePendingCleanup: async (organizationId, indexId, at) => {
    await table.update(noteKey(organizationId, indexId), {
      set: { looks: maxCleanups },
      setOnce: dueBy('leftovers', organizationId, dueAt(at)),
    });
  },
  dueCleanups: (until, limit) => dueIndexes(table, 'leftovers', until, limit),
  claimCleanup: async ({ organizationId, id }, at) => {
    const note = await table.update(noteKey(organizationId, id), {
      add: { looks: -1 },
      set: dueBy('leftovers', organizationId, dueAt(at)),
      condition: whereDueBy(organizationId, new Date(at)),
    });
    return (note?.['looks'] as number | undefined) ?? null;
  },
  endCleanups: async ({ organizationId, id }) => {
    await table.delete(noteKey(organizationId, id), { looks: { lte: 0 } });
  },
});
