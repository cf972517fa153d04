import { LRUCache } from 'lru-cache';
import type { FrontierEntry } from './frontier-record.ts';
import type { CrawlLease } from './crawl-store.ts';

/** Most addresses that are remembered, of all crawls together: some 80 MB. */
const maxEntries = 100_000;

/** What a run of this process knew of its crawl when it left it, all of it written. */
interface CachedFrontier {
  /** The run; as long as it is the last that has taken the crawl, nobody has changed anything. */
  readonly holder: string;
  readonly entries: readonly FrontierEntry[];
}

/** What this process knows of the crawls that it worked on last, so that it need not read all of it for every page. */
export interface FrontierCache {
  /** What was left of a crawl, and is no longer remembered here. */
  take(crawlId: string): CachedFrontier | null;
  put(lease: CrawlLease, entries: readonly FrontierEntry[]): void;
}

export const frontierCache = (): FrontierCache => {
  const lefts = new LRUCache<string, CachedFrontier>({
    maxSize: maxEntries,
    sizeCalculation: ({ entries }) => Math.max(1, entries.length),
  });
  return {
    take: (crawlId) => {
      const left = lefts.get(crawlId) ?? null;
      lefts.delete(crawlId);
      return left;
    },
    put: ({ address, holder }, entries) => {
      lefts.set(address.crawlId, { holder, entries });
    },
  };
};
