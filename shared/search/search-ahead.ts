import { LRUCache } from 'lru-cache';
import { oncePer } from '../kernel/made-once.ts';
import { type IndexReader, type IndexRecord, requireStandingIndex } from '../indexes/index.ts';
import type { SearchOperation } from '../reader/index.ts';
import type { TakeBack, UsageWriter } from '../usage/index.ts';

/** What decides who makes the vector of a search. */
interface Asked {
  readonly text?: string | undefined;
  readonly vector?: Float32Array | undefined;
}

/** Whether a model reads the text of a search, which is then counted with its tokens. */
export const isEmbedded = (mode: SearchOperation['mode'], { vector }: Asked): boolean =>
  mode !== 'sparse' && vector === undefined;

interface EarlySearch {
  readonly organizationId: string;
  readonly path: { readonly index_id: string };
  readonly body: Promise<Asked | null>;
  readonly deps: { readonly indexes: IndexReader; readonly usage: UsageWriter };
  readonly onRefusal: (undo: () => Promise<void>) => void;
}

/** A search that has begun. */
export interface SearchBegun {
  readonly index: IndexRecord;
  /** Done when the search is counted; null where it is to be counted with the tokens of its text. */
  readonly counting: Promise<TakeBack | null>;
}

const mostRemembered = 1_000;

/** Indexes that stood when this process searched them last. It tells what to begin early, never what is there. */
const standing = oncePer<IndexReader, LRUCache<string, true>>(() => new LRUCache({ max: mostRemembered }));

/**
 * For `ahead` of a search: reads its index, and counts the search where no model reads it, so that the answer waits for the
 * tables once; what nobody gets an answer to is taken back. Of an index that this process has not seen, nothing is counted
 * before it is found, since anybody can make up a name. Throws as `requireStandingIndex`.
 */
export const searchAhead =
  (mode: SearchOperation['mode']) =>
  async ({ organizationId, path: { index_id: indexId }, body, deps, onRefusal }: EarlySearch): Promise<SearchBegun> => {
    const seen = standing(deps.indexes);
    const name = `${organizationId} ${indexId}`;
    const wasThere = seen.has(name);
    seen.delete(name);
    const finding = requireStandingIndex(deps.indexes, organizationId, indexId);
    const count = async (): Promise<TakeBack | null> => {
      const asked = await body;
      if (asked === null || isEmbedded(mode, asked)) return null;
      if (!wasThere) await finding;
      return deps.usage.countSearch(organizationId, indexId, mode, 0);
    };
    const counting = count();
    // Whoever waits for it is told.
    counting.catch(() => undefined);
    onRefusal(async () => (await counting.catch(() => null))?.());
    const index = await finding;
    seen.set(name, true);
    return { index, counting };
  };
