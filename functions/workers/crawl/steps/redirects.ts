import {
  type Ending,
  type FrontierEntry,
  type PageAddress,
  siteOf,
  toPageAddress,
} from '../../../../shared/crawls/index.ts';
import type { PageFacts } from '../../../../shared/platform/crawl/read-page.ts';
import type { SiteCrawl } from './crawl-context.ts';

/** Most addresses on the way to one page. */
export const maxRedirects = 5;

/** An address that is read once more. */
export const requeued = {
  outcome: null,
  gaveWayTo: null,
  attempts: 0,
  notBefore: '',
  reason: null,
  detail: null,
} as const satisfies Partial<FrontierEntry>;

/** What becomes of an address whose redirects have no end, and of those that led to it. */
export const endRedirectLoop = async (
  { frontier }: SiteCrawl,
  entry: FrontierEntry,
  target: PageAddress,
): Promise<Ending> => {
  await frontier.markRedirectLoop(entry);
  return { outcome: 'refused', textHash: null, reason: 'too_many_redirects', detail: target.url };
};

/** Goes on where an address leads to, in its place. */
export const followTarget = async (crawl: SiteCrawl, entry: FrontierEntry, target: PageAddress): Promise<Ending> => {
  const { frontier } = crawl;
  if (siteOf(target.url) !== crawl.state.site) {
    // Where the first page has moved, the site has.
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
    // A session begins somewhere on the way; then what led there is read, or leads on for a few more addresses.
    await frontier.change(first, { ...requeued, redirects: entry.redirects + 1 });
    return ending;
  }
  await frontier.markRedirectLoop(entry);
  return { ...ending, reason: 'too_many_redirects' };
};

/**
 * Where a page leads by itself: at once, as a redirect does, or after some seconds, as many roots of a site do. Null where
 * that leads back here, since one of the pages is to be read.
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
