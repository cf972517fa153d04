import { LRUCache } from 'lru-cache';
import type { FrontierEntry } from './frontier-record.ts';
import type { Hold } from './work.ts';

/** Most addresses that are remembered, of all crawls together: some 80 MB. */
const mostAddresses = 100_000;

/** What a run of this process knew of its crawl when it left it, all of it written. */
interface Left {
  /** The run; as long as it is the last that has taken the crawl, nobody has changed anything. */
  readonly holder: string;
  readonly entries: readonly FrontierEntry[];
}

/** What this process knows of the crawls that it worked on last, so that it need not read all of it for every page. */
export interface LeftFrontiers {
  /** What was left of a crawl, and is no longer remembered here. */
  take(crawlId: string): Left | null;
  leave(hold: Hold, entries: readonly FrontierEntry[]): void;
}

export const leftFrontiers = (): LeftFrontiers => {
  const lefts = new LRUCache<string, Left>({
    maxSize: mostAddresses,
    sizeCalculation: ({ entries }) => Math.max(1, entries.length),
  });
  return {
    take: (crawlId) => {
      const left = lefts.get(crawlId) ?? null;
      lefts.delete(crawlId);
      return left;
    },
    leave: ({ address, holder }, entries) => {
      lefts.set(address.crawlId, { holder, entries });
    },
  };
};
