import { inParallel } from '../kernel/in-parallel.ts';
import type { FrontierEntry } from './frontier-record.ts';
import { type CrawlWork, HoldLost } from './work.ts';

/** Addresses that are put side by side, and as many of them as take a small part of the time of a hold. */
const putsAtOnce = 16;
const putsPerHold = 320;

/** What adding addresses to a crawl takes. */
export interface Putting {
  readonly work: CrawlWork;
  readonly crawlId: string;
  readonly pageLimit: number;
  readonly renew: () => Promise<boolean>;
}

/** Puts addresses that nobody has put yet, and keeps the hold meanwhile. */
export const putAll = async ({ work, crawlId, renew }: Putting, added: readonly FrontierEntry[]): Promise<void> => {
  for (let at = 0; at < added.length; at += putsPerHold) {
    if (at > 0 && !(await renew())) throw new HoldLost();
    await inParallel(added.slice(at, at + putsPerHold), putsAtOnce, (entry) => work.addEntry(crawlId, entry));
  }
};
