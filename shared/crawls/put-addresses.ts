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

/** Adds addresses that nobody has put yet, or changes those that are there, and keeps the hold meanwhile. */
export const putAll = async (
  { work, crawlId, renew }: Putting,
  entries: readonly FrontierEntry[],
  put: 'addEntry' | 'saveEntry' = 'addEntry',
): Promise<void> => {
  for (let at = 0; at < entries.length; at += putsPerHold) {
    if (at > 0 && !(await renew())) throw new HoldLost();
    await inParallel(entries.slice(at, at + putsPerHold), putsAtOnce, (entry) => work[put](crawlId, entry));
  }
};
