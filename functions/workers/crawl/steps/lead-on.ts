import { type Ending, type FrontierEntry, type PageAddress, siteOf } from '../../../../shared/crawls/index.ts';
import type { Crawling } from './working.ts';

/** Most addresses on the way to one page. */
export const maxHops = 5;

/** What becomes of an address whose redirects have no end, and of those that led to it. */
export const endlessRedirect = async (
  { frontier }: Crawling,
  entry: FrontierEntry,
  target: PageAddress,
): Promise<Ending> => {
  await frontier.markEndless(entry);
  return { outcome: 'refused', textHash: null, reason: 'too_many_redirects', detail: target.url };
};

/** Goes on where an address leads to, in its place. */
export const leadOn = async (crawling: Crawling, entry: FrontierEntry, target: PageAddress): Promise<Ending> => {
  const { frontier } = crawling;
  if (siteOf(target.url) !== crawling.state.site) {
    // Where the first page has moved, the site has.
    if (entry.depth > 0 || entry.kind !== 'page' || crawling.state.pagesFound > 0)
      return { outcome: 'offsite', textHash: null, detail: target.url };
    const moved = await crawling.deps.work.note(crawling.hold, { site: siteOf(target.url) });
    if (moved !== null) crawling.state = moved;
  }
  await frontier.follow(entry, target);
  const ending = { outcome: 'redirected', textHash: null, gaveWayTo: target.hash, detail: target.url } as const;
  if (!frontier.leadsTo(target.hash, entry.hash)) return ending;
  await frontier.markEndless(entry);
  return { ...ending, reason: 'too_many_redirects' };
};
