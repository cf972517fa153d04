import { inParallel } from '../kernel/in-parallel.ts';
import type { FrontierEntry } from './frontier-record.ts';
import { type CrawlWork, type Hold, HoldLost } from './work.ts';

/** Addresses that are put side by side, and as many of them as take a small part of the time of a hold. */
const putsAtOnce = 16;
const putsPerHold = 320;

/** What adding addresses to a crawl takes. */
export interface Putting {
  readonly work: CrawlWork;
  readonly hold: Hold;
  readonly pageLimit: number;
}

/**
 * Adds addresses that nobody has put yet, or changes those that are there, and keeps the hold meanwhile. Throws `HoldLost`
 * where it is lost.
 */
export const putAll = async (
  { work, hold }: Putting,
  entries: readonly FrontierEntry[],
  put: 'addEntry' | 'saveEntry' = 'addEntry',
): Promise<void> => {
  for (let at = 0; at < entries.length; at += putsPerHold) {
    if (at > 0 && (await work.renew(hold)) === null) throw new HoldLost();
    await inParallel(entries.slice(at, at + putsPerHold), putsAtOnce, (entry) =>
      work[put](hold.address.crawlId, entry),
    );
  }
};
