import type { Ending, FrontierEntry, Outcome } from '../../../../shared/crawls/index.ts';
import { removeDocument } from '../../../../shared/documents/index.ts';
import { requeued } from './redirects.ts';
import { type SiteCrawl, memoryOf, ownSite, sourceOf } from './crawl-context.ts';

/** What became of a page that has no place in the index any more, if it had one. */
const withoutContent: ReadonlySet<Outcome> = new Set<Outcome>([
  'duplicate', 'redirected', 'gone', 'disallowed', 'noindex', 'offsite', 'unsupported', 'too_large', 'empty',
]); // prettier-ignore

/** Takes a page out of the index that an earlier crawl has put there. */
const dropFromIndex = async (crawl: SiteCrawl, entry: FrontierEntry): Promise<void> => {
  const { deps, lease, run } = crawl;
  const memory = memoryOf(lease.address, ownSite(entry));
  if ((await deps.store.remembered(memory, entry.hash)) === null) return;
  await removeDocument(deps, sourceOf(crawl, ownSite(entry)), entry.key, run.clock);
  await deps.store.forget(memory, entry.hash);
};

/** Writes down what became of a page, in the index first. False where another run has the crawl. */
export const finishPage = async (crawl: SiteCrawl, entry: FrontierEntry, ending: Ending): Promise<boolean> => {
  const { outcome, gaveWayTo } = ending;
  // A page that gives way stays until its original is there.
  const isOpen = outcome === 'duplicate' && gaveWayTo !== undefined;
  if (withoutContent.has(outcome) && !isOpen) await dropFromIndex(crawl, entry);
  if (outcome === 'stored' || outcome === 'unchanged') {
    const counted = await crawl.deps.store.countPage(crawl.lease, entry.hash, ending);
    if (counted === null) return false;
    crawl.state = counted;
  }
  await crawl.frontier.finish(entry, ending);
  return true;
};

/** Does what is left to do for pages that gave way: those whose originals are not to be had are read in spite of them. */
export const resolveCanonicals = async (crawl: SiteCrawl): Promise<void> => {
  const { frontier } = crawl;
  for (const { entry, originalStands } of frontier.resolvedCanonicals()) {
    if (originalStands) await dropFromIndex(crawl, entry);
    await frontier.change(entry, originalStands ? { gaveWayTo: null } : { ...requeued, stands: true });
  }
};
