import { LRUCache } from 'lru-cache';
import type { FrontierEntry } from './frontier-record.ts';
import type { CrawlLease } from './crawl-store.ts';

/** Maximum number of cached entries of all crawls, about 80 MB. */
const maxEntries = 100_000;

/** The frontier of a crawl at the end of a batch, as it was written. */
interface CachedFrontier {
  /** The run. The entries are valid while no other run has leased the crawl. */
  readonly holder: string;
  readonly entries: readonly FrontierEntry[];
}

/** Cache of the frontiers of recent crawls in this process. It saves reading all entries for every batch. */
export interface FrontierCache {
  /** Returns and removes the cached frontier of a crawl. */
  take(crawlId: string): CachedFrontier | null;
  put(lease: CrawlLease, entries: readonly FrontierEntry[]): void;
}

export const frontierCache = (): FrontierCache => {
  const cache = new LRUCache<string, CachedFrontier>({
    maxSize: maxEntries,
    sizeCalculation: ({ entries }) => Math.max(1, entries.length),
  });
  return {
    take: (crawlId) => {
      const cached = cache.get(crawlId) ?? null;
      cache.delete(crawlId);
      return cached;
    },
    put: ({ address, holder }, entries) => {
      cache.set(address.crawlId, { holder, entries });
    },
  };
};
