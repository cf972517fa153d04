import {
  type Discovery,
  type Ending,
  type FrontierEntry,
  siteOf,
  toPageAddress,
} from '../../../../shared/crawls/index.ts';
import type { PageAnswer } from '../../../../shared/platform/crawl/port.ts';
import { readSitemap } from '../../../../shared/platform/crawl/read-sitemap.ts';
import { robotsOf } from './read-site-rules.ts';
import type { Crawling } from './working.ts';

/** Most sitemaps that one crawl reads, and most bytes of one as it is transferred. */
const mostSitemaps = 50;
const longestSitemap = 10 * 1024 * 1024;

export const sitemapLimitBytes = (): number => longestSitemap;

const toDiscovery = (
  { state }: Crawling,
  url: string,
  kind: FrontierEntry['kind'],
  depth: number,
): readonly Discovery[] => {
  const address = toPageAddress(url);
  return address === null || siteOf(address.url) !== state.site ? [] : [{ address, kind, depth }];
};

const addSitemaps = async (crawling: Crawling, urls: readonly string[]): Promise<void> => {
  const room = Math.max(0, mostSitemaps - crawling.frontier.sitemaps());
  const found = urls.flatMap((url) => toDiscovery(crawling, url, 'sitemap', 1));
  await crawling.frontier.add(found.slice(0, room));
};

/** Adds the sitemaps that a site's robots.txt names, or the one at the usual place. */
export const seedSitemaps = async (crawling: Crawling, url: string): Promise<void> => {
  const robots = await robotsOf(crawling, url);
  const listed = robots?.sitemaps ?? [];
  await addSitemaps(crawling, listed.length > 0 ? listed : [`${new URL(url).origin}/sitemap.xml`]);
};

/** Adds what a sitemap lists: pages as if the first page had links to them, and further sitemaps. */
export const listSitemap = async (crawling: Crawling, _: FrontierEntry, { body }: PageAnswer): Promise<Ending> => {
  const sitemap = body === null ? null : readSitemap(body);
  if (sitemap === null) return { outcome: 'unsupported', textHash: null };
  if (sitemap.kind === 'sitemaps') await addSitemaps(crawling, sitemap.urls);
  else await crawling.frontier.add(sitemap.urls.flatMap((url) => toDiscovery(crawling, url, 'page', 1)));
  return { outcome: 'listed', textHash: null };
};
