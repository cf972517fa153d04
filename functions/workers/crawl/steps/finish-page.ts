import type { Ending, FrontierEntry, Outcome } from '../../../../shared/crawls/index.ts';
import { removeDocument } from '../../../../shared/documents/index.ts';
import { requeued } from './redirects.ts';
import { type SiteCrawl, memoryOf, ownSite, sourceOf } from './crawl-context.ts';

/** Outcomes of a page that must not stay in the index. */
const withoutContent: ReadonlySet<Outcome> = new Set<Outcome>([
  'duplicate', 'redirected', 'gone', 'disallowed', 'noindex', 'offsite', 'unsupported', 'too_large', 'empty',
]); // prettier-ignore

/** Removes a page that an earlier crawl stored in the index. */
const dropFromIndex = async (crawl: SiteCrawl, entry: FrontierEntry): Promise<void> => {
  const { deps, lease, run } = crawl;
  const memory = memoryOf(lease.address, ownSite(entry));
  if ((await deps.store.remembered(memory, entry.hash)) === null) return;
  await removeDocument(deps, sourceOf(crawl, ownSite(entry)), entry.key, run.clock);
  await deps.store.forget(memory, entry.hash);
};

/** Records the ending of a page, in the index first. Returns false if another run has the lease. */
export const finishPage = async (crawl: SiteCrawl, entry: FrontierEntry, ending: Ending): Promise<boolean> => {
  const { outcome, gaveWayTo } = ending;
  // A page that names another original stays until that original is stored.
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

/**
 * Finishes pages whose canonical page is now known: removes them if it is stored, else queues them to be read
 * themselves.
 */
export const resolveCanonicals = async (crawl: SiteCrawl): Promise<void> => {
  const { frontier } = crawl;
  for (const { entry, isOriginalKept } of frontier.resolvedCanonicals()) {
    if (isOriginalKept) await dropFromIndex(crawl, entry);
    await frontier.change(entry, isOriginalKept ? { gaveWayTo: null } : { ...requeued, stands: true });
  }
};
