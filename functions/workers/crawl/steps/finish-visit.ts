import type { Ending, FrontierEntry, Outcome } from '../../../../shared/crawls/index.ts';
import { removeDocument } from '../../../../shared/documents/index.ts';
import { unread } from './lead-on.ts';
import { type Crawling, memoryOf, ownSite, sourceOf } from './working.ts';

/** What became of a page that has no place in the index any more, if it had one. */
const withoutContent: ReadonlySet<Outcome> = new Set<Outcome>([
  'duplicate', 'redirected', 'gone', 'disallowed', 'noindex', 'offsite', 'unsupported', 'too_large', 'empty',
]); // prettier-ignore

/** Takes a page out of the index that an earlier crawl has put there. */
const drop = async (crawling: Crawling, entry: FrontierEntry): Promise<void> => {
  const { deps, hold, run } = crawling;
  const memory = memoryOf(hold.address, ownSite(entry));
  if ((await deps.work.remembered(memory, entry.hash)) === null) return;
  await removeDocument(deps, sourceOf(crawling, ownSite(entry)), entry.key, run.clock);
  await deps.work.forget(memory, entry.hash);
};

/** Writes down what became of a page, in the index first. False where another run has the crawl. */
export const finish = async (crawling: Crawling, entry: FrontierEntry, ending: Ending): Promise<boolean> => {
  const { outcome, gaveWayTo } = ending;
  // A page that gives way stays until its original is there.
  const isOpen = outcome === 'duplicate' && gaveWayTo !== undefined;
  if (withoutContent.has(outcome) && !isOpen) await drop(crawling, entry);
  if (outcome === 'stored' || outcome === 'unchanged') {
    const counted = await crawling.deps.work.countPage(crawling.hold, entry.hash, ending);
    if (counted === null) return false;
    crawling.state = counted;
  }
  await crawling.frontier.finish(entry, ending);
  return true;
};

/** Does what is left to do for pages that gave way: those whose originals are not to be had are read in spite of them. */
export const settle = async (crawling: Crawling): Promise<void> => {
  const { frontier } = crawling;
  for (const { entry, originalStands } of frontier.settled()) {
    if (originalStands) await drop(crawling, entry);
    await frontier.change(entry, originalStands ? { gaveWayTo: null } : { ...unread, stands: true });
  }
};
