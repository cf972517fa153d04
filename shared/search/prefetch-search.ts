import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { OnEnd } from '../http/request-end.ts';
import { memoizePerOwner } from '../kernel/memoize.ts';
import { type IndexReader, type IndexRecord, requireReadyIndex } from '../indexes/index.ts';
import { indexAsOf, type Reader } from '../reader/index.ts';
import { type RebuildReader, successorOf } from '../rebuilds/index.ts';
import type { UndoCount, UsageWriter } from '../usage/index.ts';
import { embeddedTexts, executeSearch, type Found, isRanked, type SearchInput } from './execute-search.ts';
import { searchProblems } from './search-problems.ts';

/** Search request whose caller may not be authenticated yet. */
interface PrefetchCall {
  readonly organizationId: string;
  readonly path: { readonly index_id: string };
  readonly body: Promise<Omit<SearchInput, 'mode'> | null>;
  readonly deps: {
    readonly indexes: IndexReader;
    readonly reader: Reader;
    readonly usage: UsageWriter;
    readonly rebuilds: RebuildReader;
  };
  readonly onEnd: OnEnd;
}

/** Prefetched index of a search, and the steps that have begun with it. */
export interface PrefetchedSearch {
  readonly index: IndexRecord;
  /** Resolves when the search is counted; to null if it is counted after the search, with its tokens and latency. */
  readonly counting: Promise<UndoCount | null>;
  /** Result of the speculative search; null if the index has not been searched yet. */
  readonly speculative: Promise<Found | null>;
}

/** Record of an index at its last search in this process. It decides only which steps begin early. */
interface SeenIndex {
  readonly index: IndexRecord;
  /** Whether it was unchanged between the last two searches. */
  readonly isUnchanged: boolean;
}

const maxRemembered = 1_000;

const seenLast = memoizePerOwner<IndexReader, LRUCache<string, SeenIndex>>(() => new LRUCache({ max: maxRemembered }));

/** Searches an index at its last known version. Returns null if that would cost an invocation, or if the request is invalid. */
const searchSpeculatively = async (reader: Reader, index: IndexRecord, input: SearchInput): Promise<Found | null> => {
  if (embeddedTexts(input).length > 0 || isRanked(input, index) || !reader.isLocal(index)) return null;
  if (input.rebuild !== undefined || input.as_of !== undefined) return null;
  const problems = await searchProblems(input.mode)({
    body: input,
    sent: input,
    prefetched: Promise.resolve({ index }),
    // A search in stages is not speculative.
    deps: { rerankModels: { all: [] } },
  });
  return problems.length > 0 ? null : executeSearch(reader, index, input);
};

/**
 * Prefetches a search, before its caller is authenticated. It reads the index, and concurrently counts the search. If the
 * request ends without success, the count is undone. A search is counted after it has succeeded if a model embeds its text, or if the index is new to
 * this process: its id may be made up, and a first search is stored with its own latency. An index that was unchanged lately
 * is searched speculatively at its last known version; the result is used if the index turns out to be unchanged. Throws as
 * `requireReadyIndex`.
 */
export const prefetchSearch =
  (mode: SearchInput['mode']) =>
  async ({
    organizationId,
    path: { index_id: indexId },
    body,
    deps,
    onEnd,
  }: PrefetchCall): Promise<PrefetchedSearch> => {
    const seen = seenLast(deps.indexes);
    const name = `${organizationId} ${indexId}`;
    const last = seen.get(name);
    seen.delete(name);
    const finding = requireReadyIndex(deps.indexes, organizationId, indexId);
    const count = async (): Promise<UndoCount | null> => {
      const input = await body;
      if (last === undefined || input === null) return null;
      const search = { mode, ...input };
      if (embeddedTexts(search).length > 0 || isRanked(search, last.index)) return null;
      return deps.usage.countSearch(organizationId, indexId, mode, 0);
    };
    const counting = count();
    // The caller of `counting` handles the error.
    counting.catch(() => undefined);
    onEnd(async (succeeded) => {
      if (!succeeded) await (await counting.catch(() => null))?.();
    });
    const still = last?.isUnchanged === true ? last.index : null;
    const search = async (): Promise<Found | null> => {
      const input = await body;
      return input === null || still === null ? null : searchSpeculatively(deps.reader, still, { mode, ...input });
    };
    // A failed speculative search is repeated, and the repeat reports the error.
    const searching = search().catch(() => null);
    const index = await finding;
    const isStill = isDeepStrictEqual(last?.index, index);
    seen.set(name, { index, isUnchanged: isStill });
    const { rebuild: rebuildId, as_of: asOf } = (await body) ?? {};
    const content = rebuildId === undefined ? index : await successorOf(deps.rebuilds, index, rebuildId);
    const searched = await indexAsOf(deps.reader, content, asOf);
    return { index: searched, counting, speculative: isStill ? searching : Promise.resolve(null) };
  };
