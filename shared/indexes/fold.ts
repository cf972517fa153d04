import { laterBy } from '../kernel/clock.ts';
import { hourMs } from '../kernel/durations.ts';
import { derivedId } from '../kernel/ids.ts';
import type { IndexWriter } from './contracts.ts';
import type { IndexLog } from './log.ts';
import type { IndexFold, IndexRecord } from './record.ts';

/** Tables behind a branch up to which each search asks them all; beyond, the branch gets a table of its own. */
const mostAncestors = 8;

/**
 * How long the next message of a fold is waited for: its log may hold many changes before it. Where attempts at it were
 * used up, it is not tried sooner than that, since changes wait behind each of them.
 */
const patienceMs = 6 * hourMs;

/** Whether searches of a branch ask so many tables that it should stand alone. */
export const hasManyAncestors = ({ layers }: Pick<IndexRecord, 'layers'>): boolean => layers.length - 1 > mostAncestors;

/** The note of a fold that goes on with a message. */
export const foldBy = (id: string, now: Date): IndexFold => ({
  id,
  until: laterBy(now, patienceMs).toISOString(),
});

/**
 * Asks a branch to stand alone, unless it has been asked and that is not lost. The note comes first: whoever dies before
 * the message is sent asks again on the same occasion.
 */
export const askToFold = async (
  { indexes, log }: { readonly indexes: IndexWriter; readonly log: IndexLog },
  branch: IndexRecord,
  occasion: string,
  now: Date,
): Promise<void> => {
  const id = derivedId('rcp', new Date(branch.createdAt), branch.id, occasion);
  const { fold } = branch;
  if (fold !== null && fold.id !== id && fold.until > now.toISOString()) return;
  await indexes.noteFold(branch, foldBy(id, now));
  await log.append(branch, { op: 'fold', after: null, ancestors: branch.layers.slice(1) }, id);
};
