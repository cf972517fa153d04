import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { DamagedIndex } from '../damaged-index.ts';
import type { IndexRef } from '../port.ts';
import { type Journal, noJournal, type VectorIndex } from './vector-index.ts';

/** Time in which a read must find one state. A file whose writer died is completed by another run later. */
const maxReadMs = 10_000;
const [firstPauseMs, maxPauseMs] = [10, 500];

/** Last journal that this process has read of an index. */
const lastJournals = new LRUCache<string, Journal>({ max: 1_000 });

/** An index to read. */
interface Place {
  readonly index: VectorIndex;
  readonly ref: Pick<IndexRef, 'layers'>;
}

/**
 * Requires the journal of an index to have its committed version. A new index that does not exist yet has an empty one.
 * Throws `DamagedIndex`.
 */
export const requireJournal = (journal: Journal | null, { layers: [{ table, version }] }: Place['ref']): Journal => {
  if (version > 0 && (journal === null || journal.version < version))
    throw new DamagedIndex(`the index ${table} has no version ${version}`);
  return journal ?? noJournal;
};

/** Returns the journal of an index. Throws `DamagedIndex`. */
export const readJournal = async ({ index, ref }: Place): Promise<Journal> => {
  const journal = requireJournal(await index.queryJournal(), ref);
  lastJournals.set(index.name, journal);
  return journal;
};

/**
 * Returns what a read finds in one state of all files. A journal with the same `view` before and after the read proves that no
 * file was replaced or deleted between. The last known journal is thus as good as one that is read now. If the views differ,
 * the read is repeated. Throws if files change during every read for 10 seconds, and `DamagedIndex`.
 * @param read Returns null if it must be repeated.
 */
export const readOneState = async <Result>(
  place: Place,
  read: (journal: Journal) => Promise<Result | null>,
): Promise<Result> => {
  const endMs = performance.now() + maxReadMs;
  let journal = lastJournals.get(place.index.name) ?? (await readJournal(place));
  for (let pauseMs = firstPauseMs; performance.now() < endMs; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
    const result = journal.isSettling ? null : await read(journal);
    const { view } = journal;
    journal = await readJournal(place);
    if (result !== null && journal.view === view) return result;
    if (journal.isSettling) await pause(Math.random() * pauseMs);
  }
  throw new Error('the files of the index were changed during each read');
};
