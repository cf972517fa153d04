import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { memoizePerOwner } from '../kernel/memoize.ts';
import { type IndexReader, type IndexRecord, requireStandingIndex } from '../indexes/index.ts';
import type { Reader } from '../reader/index.ts';
import type { TakeBack, UsageWriter } from '../usage/index.ts';
import { askReader, type Found, isEmbedded, type SearchInput } from './ask-reader.ts';
import { searchProblems } from './search-problems.ts';

interface EarlySearch {
  readonly organizationId: string;
  readonly path: { readonly index_id: string };
  readonly body: Promise<Omit<SearchInput, 'mode'> | null>;
  readonly deps: { readonly indexes: IndexReader; readonly reader: Reader; readonly usage: UsageWriter };
  readonly onRollback: (undo: () => Promise<void>) => void;
}

/** A search that has begun. */
export interface SearchBegun {
  readonly index: IndexRecord;
  /** Done when the search is counted; null where it is to be counted with the tokens of its text. */
  readonly counting: Promise<TakeBack | null>;
  /** What is found in the index; null where it is still to be searched. */
  readonly early: Promise<Found | null>;
}

/** An index as this process searched it last. It tells what to begin early, never what is there. */
interface Seen {
  readonly index: IndexRecord;
  /** Whether it had been the same the time before. */
  readonly isStill: boolean;
}

const mostRemembered = 1_000;

const seenLast = memoizePerOwner<IndexReader, LRUCache<string, Seen>>(() => new LRUCache({ max: mostRemembered }));

/** Searches an index as it was; null where that would cost an invocation, or where the index does not take the question. */
const searchAsSeen = async (reader: Reader, index: IndexRecord, input: SearchInput): Promise<Found | null> => {
  if (isEmbedded(input) || !reader.isLocal(index)) return null;
  const problems = await searchProblems({ body: input, sent: input, prefetched: Promise.resolve({ index }) });
  return problems.length > 0 ? null : askReader(reader, index, input);
};

/**
 * For `prefetched` of a search: reads its index, and counts the search where no model reads it, so that the answer waits for the
 * tables once; what nobody gets an answer to is taken back. Of an index that this process has not seen, nothing is counted
 * before it is found, since anybody can make up a name. One that stood still is searched meanwhile as it was: what is found
 * counts where the index turns out to be the same now. Throws as `requireStandingIndex`.
 */
export const searchAhead =
  (mode: SearchInput['mode']) =>
  async ({
    organizationId,
    path: { index_id: indexId },
    body,
    deps,
    onRollback,
  }: EarlySearch): Promise<SearchBegun> => {
    const seen = seenLast(deps.indexes);
    const name = `${organizationId} ${indexId}`;
    const last = seen.get(name);
    seen.delete(name);
    const finding = requireStandingIndex(deps.indexes, organizationId, indexId);
    const count = async (): Promise<TakeBack | null> => {
      const asked = await body;
      if (asked === null || isEmbedded({ mode, ...asked })) return null;
      if (last === undefined) await finding;
      return deps.usage.countSearch(organizationId, indexId, mode, 0);
    };
    const counting = count();
    // Whoever waits for it is told.
    counting.catch(() => undefined);
    onRollback(async () => (await counting.catch(() => null))?.());
    const still = last?.isStill === true ? last.index : null;
    const search = async (): Promise<Found | null> => {
      const asked = await body;
      return asked === null || still === null ? null : searchAsSeen(deps.reader, still, { mode, ...asked });
    };
    // What cannot be read is asked for once more, and then the caller is told.
    const searching = search().catch(() => null);
    const index = await finding;
    const isStill = isDeepStrictEqual(last?.index, index);
    seen.set(name, { index, isStill });
    return { index, counting, early: isStill ? searching : Promise.resolve(null) };
  };
