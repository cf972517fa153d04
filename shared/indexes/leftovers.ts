import { laterBy } from '../kernel/clock.ts';
import { hourMs } from '../kernel/durations.ts';
import { dueBy, whereDueBy } from '../db/due.ts';
import type { Table } from '../db/contracts.ts';
import type { IndexWriter } from './contracts.ts';
import { dueIndexes } from './due-indexes.ts';

/**
 * Runs of maintenance after which nothing is left in a table of what was deleted or written over: the first brings the
 * indexes up to date, the second joins what these cover, the third removes the versions before. One more may find a
 * build, or fail.
 */
const mostLooks = 4;
/** So long that a large table is not rewritten for each of many deletions. All looks together take a day. */
const everyMs = 6 * hourMs;

const noteKey = (organizationId: string, indexId: string) => ({ pk: `LEFTOVERS#${organizationId}`, sk: indexId });

const dueAt = (from: string): Date => laterBy(from, everyMs);

/** The notes of tables that still hold what was deleted or written over, though nobody may write to them any more. */
export const leftovers = (
  table: Table,
): Pick<IndexWriter, 'noteLeftovers' | 'leftovers' | 'lookAtLeftovers' | 'forgetLeftovers'> => ({
  noteLeftovers: async (organizationId, indexId, at) => {
    await table.update(noteKey(organizationId, indexId), {
      set: { looks: mostLooks },
      setOnce: dueBy('leftovers', organizationId, dueAt(at)),
    });
  },
  leftovers: (until, limit) => dueIndexes(table, 'leftovers', until, limit),
  lookAtLeftovers: async ({ organizationId, id }, at) => {
    const note = await table.update(noteKey(organizationId, id), {
      add: { looks: -1 },
      set: dueBy('leftovers', organizationId, dueAt(at)),
      condition: whereDueBy(organizationId, new Date(at)),
    });
    return (note?.['looks'] as number | undefined) ?? null;
  },
  forgetLeftovers: async ({ organizationId, id }) => {
    await table.delete(noteKey(organizationId, id), { looks: { lte: 0 } });
  },
});
