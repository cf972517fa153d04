import { laterBy } from '../kernel/clock.ts';
import { hourMs } from '../kernel/durations.ts';
import { derivedId } from '../kernel/ids.ts';
import type { IndexWriter } from './contracts.ts';
import type { IndexLog } from './index-log.ts';
import type { Materialization, IndexRecord } from './record.ts';

/** Maximum ancestor tables that a search of a branch reads. A branch with more is materialized into its own table. */
const maxAncestors = 8;

/**
 * Wait for the next message of a materialization, because the log may have many changes before it. A materialization whose
 * retries are exhausted is not retried sooner, since changes wait behind each attempt.
 */
const patienceMs = 6 * hourMs;

/** Whether searches of a branch read so many tables that it should be materialized. */
export const hasManyAncestors = ({ layers }: Pick<IndexRecord, 'layers'>): boolean => layers.length - 1 > maxAncestors;

/** Returns the note of a materialization that a message continues. */
export const materializationBy = (id: string, now: Date): Materialization => ({
  id,
  until: laterBy(now, patienceMs).toISOString(),
});

/**
 * Requests the materialization of a branch, unless one is under way. The note is written first: if the process dies before
 * the message is sent, a repeat with the same occasion sends it.
 */
export const requestMaterialization = async (
  { indexes, log }: { readonly indexes: IndexWriter; readonly log: IndexLog },
  branch: IndexRecord,
  occasion: string,
  now: Date,
): Promise<void> => {
  const id = derivedId('rcp', new Date(branch.createdAt), branch.id, occasion);
  const { materialization } = branch;
  if (materialization !== null && materialization.id !== id && materialization.until > now.toISOString()) return;
  await indexes.noteMaterialization(branch, materializationBy(id, now));
  await log.append(branch, { op: 'materialize', after: null, ancestors: branch.layers.slice(1) }, id);
};
