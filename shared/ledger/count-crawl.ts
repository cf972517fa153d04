import type { CrawlAddress, crawlsWrite } from '../crawls/index.ts';
import type { Deps } from '../kernel/capability.ts';
import { type CountDeps, countOnce } from './count-usage.ts';

/** Counts the pages of an ended crawl, once. */
export const countCrawl = (
  deps: CountDeps & Deps<{ crawls: typeof crawlsWrite }>,
  address: CrawlAddress,
  at: string,
): Promise<void> =>
  countOnce(deps, address, address.crawlId, at, async () => {
    const crawl = await deps.crawls.state(address);
    if (crawl === null || crawl.counted || crawl.completedAt === null) return null;
    return { used: { crawl_pages: crawl.pagesFound }, markCounted: () => deps.crawls.markCounted(address) };
  });
