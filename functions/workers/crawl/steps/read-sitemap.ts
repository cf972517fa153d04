import {
  type Discovery,
  type Ending,
  type FrontierEntry,
  siteOf,
  toPageAddress,
} from '../../../../shared/crawls/index.ts';
import type { PageResponse } from '../../../../shared/platform/crawl/port.ts';
import { sitemapBytes } from '../../../../shared/platform/crawl/read-sitemap.ts';
import { loadRobotsPolicy } from './robots-policy.ts';
import { isIncluded, type SiteCrawl } from './crawl-context.ts';

/** Maximum number of sitemaps of one crawl. */
const maxSitemaps = 50;

export const maxSitemapBytes = (): number => sitemapBytes;

const toDiscovery = (
  { state }: SiteCrawl,
  url: string,
  kind: FrontierEntry['kind'],
  depth: number,
  base?: string,
): readonly Discovery[] => {
  const address = toPageAddress(url, base);
  return address === null || siteOf(address.url) !== state.site ? [] : [{ address, kind, depth }];
};

const sitemapsIn = (crawl: SiteCrawl, urls: readonly string[], base?: string): readonly Discovery[] =>
  urls.flatMap((url) => toDiscovery(crawl, url, 'sitemap', 1, base));

const addSitemaps = async ({ frontier }: SiteCrawl, found: readonly Discovery[]): Promise<void> => {
  const room = Math.max(0, maxSitemaps - frontier.sitemaps());
  await frontier.add(found.slice(0, room));
};

/** Adds the sitemaps that robots.txt names, or `/sitemap.xml`. */
export const seedSitemaps = async (crawl: SiteCrawl, url: string): Promise<void> => {
  const robots = await loadRobotsPolicy(crawl, url);
  const listed = sitemapsIn(crawl, 'waitMs' in robots ? [] : robots.sitemaps);
  const usual = `${new URL(url).origin}/sitemap.xml`;
  await addSitemaps(crawl, listed.length > 0 ? listed : sitemapsIn(crawl, [usual]));
};

/** Notes the times of pages that wait already, such as links of the first page. */
const noteTimes = async ({ frontier }: SiteCrawl, pages: readonly Discovery[]): Promise<void> => {
  for (const { address, modifiedAt } of pages) {
    const known = frontier.get(address.hash);
    if (modifiedAt === undefined || known === null) continue;
    if (known.outcome === null && known.modifiedAt === undefined) await frontier.change(known, { modifiedAt });
  }
};

/** Adds the pages of a sitemap at depth 1, and the sitemaps of a sitemap index. */
export const listSitemap = async (
  crawl: SiteCrawl,
  { url: base }: FrontierEntry,
  answer: PageResponse,
): Promise<Ending> => {
  const { body, tooLarge } = answer;
  const sitemap = body === null ? null : await crawl.deps.reader.sitemap(body, tooLarge);
  if (sitemap === null) return { outcome: 'unsupported', textHash: null };
  if (sitemap.kind === 'sitemaps') await addSitemaps(crawl, sitemapsIn(crawl, sitemap.urls, base));
  else {
    const times = new Map(Object.entries(sitemap.modified ?? {}));
    const pages = sitemap.urls.flatMap((url) => {
      const modifiedAt = times.get(url);
      const stated = modifiedAt === undefined ? {} : { modifiedAt };
      return toDiscovery(crawl, url, 'page', 1, base).map((found) => ({ ...found, ...stated }));
    });
    const included = pages.filter(({ address }) => isIncluded(crawl, address.url));
    await noteTimes(crawl, included);
    await crawl.frontier.add(included);
  }
  return { outcome: 'listed', textHash: null };
};
