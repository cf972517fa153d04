import {
  type Ending,
  type FrontierEntry,
  type PageAddress,
  siteOf,
  toPageAddress,
} from '../../../../shared/crawls/index.ts';
import type { PageFacts } from '../../../../shared/platform/crawl/read-page.ts';
import type { SiteCrawl } from './crawl-context.ts';

/** Maximum number of redirects to one page. */
export const maxRedirects = 5;

/** Changes that queue an address to be read again. */
export const requeued = {
  outcome: null,
  gaveWayTo: null,
  attempts: 0,
  notBefore: '',
  reason: null,
  detail: null,
} as const satisfies Partial<FrontierEntry>;

/** Records a redirect loop for an address and for those that led to it, and returns its ending. */
export const endRedirectLoop = async (
  { frontier }: SiteCrawl,
  entry: FrontierEntry,
  target: PageAddress,
): Promise<Ending> => {
  await frontier.markRedirectLoop(entry);
  return { outcome: 'refused', textHash: null, reason: 'too_many_redirects', detail: target.url };
};

/** Follows a redirect: queues its target in place of the address. */
export const followTarget = async (crawl: SiteCrawl, entry: FrontierEntry, target: PageAddress): Promise<Ending> => {
  const { frontier } = crawl;
  if (siteOf(target.url) !== crawl.state.site) {
    // If the first page has moved, the site has moved.
    if (entry.depth > 0 || entry.kind !== 'page' || crawl.state.pagesFound > 0)
      return { outcome: 'offsite', textHash: null, detail: target.url };
    const moved = await crawl.deps.store.update(crawl.lease, { site: siteOf(target.url) });
    if (moved !== null) crawl.state = moved;
  }
  await frontier.follow(entry, target);
  const ending = { outcome: 'redirected', textHash: null, gaveWayTo: target.hash, detail: target.url } as const;
  if (!frontier.leadsTo(target.hash, entry.hash)) return ending;
  const first = frontier.get(target.hash);
  if (first !== null && crawl.cookies.headerFor(target.url) !== null) {
    // A session cookie was set on the way. The first address is read again with it, for a few more redirects.
    await frontier.change(first, { ...requeued, redirects: entry.redirects + 1 });
    return ending;
  }
  await frontier.markRedirectLoop(entry);
  return { ...ending, reason: 'too_many_redirects' };
};

/**
 * Returns the target of a page's `refresh`: immediate like a redirect, or after some seconds as on many root pages.
 * Null if the target leads back to the page, since one of the two must be read.
 */
export const refreshTarget = (
  { frontier }: SiteCrawl,
  entry: FrontierEntry,
  { refresh, refreshesAtOnce }: PageFacts,
): PageAddress | null => {
  const target = refresh === null ? null : toPageAddress(refresh);
  if (target === null || frontier.leadsTo(target.hash, entry.hash)) return null;
  if (refreshesAtOnce) return target;
  const known = frontier.get(target.hash);
  const isNew = known === null || (known.outcome === null && known.foundAs === 'successor');
  return entry.depth === 0 && entry.redirects < maxRedirects && isNew ? target : null;
};
