import { AppError, notFound } from '../kernel/errors.ts';
import { type IndexReader, indexesRead, requireIndex } from '../indexes/index.ts';
import type { Deps } from '../kernel/capability.ts';
import { crawlSend } from './messages.ts';
import type { CrawlAddress, CrawlRecord } from './record.ts';
import { type CrawlReader, crawlsWrite } from './repository.ts';

/** Capabilities that cancelling a crawl needs. */
export const cancelCrawlUses = { indexes: indexesRead, crawls: crawlsWrite, queue: crawlSend };

/** Returns a crawl of an existing index. Throws 404. */
export const requireCrawl = async (
  deps: { readonly indexes: IndexReader; readonly crawls: CrawlReader },
  address: CrawlAddress,
): Promise<CrawlRecord> => {
  await requireIndex(deps.indexes, address.organizationId, address.indexId);
  const crawl = await deps.crawls.get(address);
  if (crawl === null) throw notFound('Crawl job');
  return crawl;
};

/**
 * Cancels a crawl that has not ended; a cancelled one stays as it is. Throws 404, and 409 if it completed or failed.
 */
export const cancelCrawl = async (
  deps: Deps<typeof cancelCrawlUses>,
  address: CrawlAddress,
  at: string,
): Promise<CrawlRecord> => {
  await requireIndex(deps.indexes, address.organizationId, address.indexId);
  const cancelled = await deps.crawls.cancel(address, at);
  const crawl = cancelled ?? (await requireCrawl(deps, address));
  if (crawl.status !== 'cancelled') throw new AppError('conflict', `The crawl has ended already: ${crawl.status}`);
  // The worker counts the pages so far and cancels the crawl at an external crawler.
  await deps.queue.send(crawl.region, address);
  return crawl;
};
