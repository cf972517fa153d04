import {
  type Discovery,
  type Ending,
  type FrontierEntry,
  siteOf,
  toPageAddress,
} from '../../../../shared/crawls/index.ts';
import type { PageAnswer } from '../../../../shared/platform/crawl/port.ts';
import { sitemapBytes } from '../../../../shared/platform/crawl/read-sitemap.ts';
import { robotsOf } from './read-site-rules.ts';
import type { Crawling } from './working.ts';

/** Most sitemaps that one crawl reads. */
const mostSitemaps = 50;

export const sitemapLimitBytes = (): number => sitemapBytes;

const toDiscovery = (
  { state }: Crawling,
  url: string,
  kind: FrontierEntry['kind'],
  depth: number,
  base?: string,
): readonly Discovery[] => {
  const address = toPageAddress(url, base);
  return address === null || siteOf(address.url) !== state.site ? [] : [{ address, kind, depth }];
};

const sitemapsIn = (crawling: Crawling, urls: readonly string[], base?: string): readonly Discovery[] =>
  urls.flatMap((url) => toDiscovery(crawling, url, 'sitemap', 1, base));

const addSitemaps = async ({ frontier }: Crawling, found: readonly Discovery[]): Promise<void> => {
  const room = Math.max(0, mostSitemaps - frontier.sitemaps());
  await frontier.add(found.slice(0, room));
};

/** Adds the sitemaps of the site that its robots.txt names, or the one at the usual place. */
export const seedSitemaps = async (crawling: Crawling, url: string): Promise<void> => {
  const robots = await robotsOf(crawling, url);
  const listed = sitemapsIn(crawling, 'waitMs' in robots ? [] : robots.sitemaps);
  const usual = `${new URL(url).origin}/sitemap.xml`;
  await addSitemaps(crawling, listed.length > 0 ? listed : sitemapsIn(crawling, [usual]));
};

/** Adds what a sitemap lists: pages as if the first page had links to them, and further sitemaps. */
export const listSitemap = async (
  crawling: Crawling,
  { url: base }: FrontierEntry,
  answer: PageAnswer,
): Promise<Ending> => {
  const { body, tooLarge } = answer;
  const sitemap = body === null ? null : await crawling.deps.reader.sitemap(body, tooLarge);
  if (sitemap === null) return { outcome: 'unsupported', textHash: null };
  if (sitemap.kind === 'sitemaps') await addSitemaps(crawling, sitemapsIn(crawling, sitemap.urls, base));
  else await crawling.frontier.add(sitemap.urls.flatMap((url) => toDiscovery(crawling, url, 'page', 1, base)));
  return { outcome: 'listed', textHash: null };
};
