import { type Ending, type FrontierEntry, type PageAddress, siteOf } from '../../../../shared/crawls/index.ts';
import type { Crawling } from './working.ts';

/** Most addresses on the way to one page. */
export const mostHops = 5;

/** Goes on where an address leads to, in its place. */
export const leadOn = async (crawling: Crawling, entry: FrontierEntry, target: PageAddress): Promise<Ending> => {
  if (siteOf(target.url) !== crawling.state.site) {
    // Where the first page has moved, the site has.
    if (entry.depth > 0 || entry.kind !== 'page' || crawling.state.pagesFound > 0)
      return { outcome: 'offsite', textHash: null };
    const moved = await crawling.deps.work.note(crawling.hold, { site: siteOf(target.url) });
    if (moved !== null) crawling.state = moved;
  }
  await crawling.frontier.follow(entry, target);
  return { outcome: 'redirected', textHash: null, gaveWayTo: target.hash };
};
