import { AppError, notFound } from '../kernel/errors.ts';
import { type IndexReader, indexesRead, requireIndex } from '../indexes/index.ts';
import type { Deps } from '../kernel/capability.ts';
import { crawlSend } from './messages.ts';
import type { CrawlAddress, CrawlRecord } from './record.ts';
import { type CrawlReader, crawlsWrite } from './repository.ts';

/** What cancelling a crawl may touch. */
export const cancelCrawlUses = { indexes: indexesRead, crawls: crawlsWrite, queue: crawlSend };

/** The crawl of an index that still exists, or 404. */
export const requireCrawl = async (
  deps: { readonly indexes: IndexReader; readonly crawls: CrawlReader },
  address: CrawlAddress,
): Promise<CrawlRecord> => {
  await requireIndex(deps.indexes, address.organizationId, address.indexId);
  const crawl = await deps.crawls.get(address);
  if (crawl === null) throw notFound('Crawl job');
  return crawl;
};

/** Cancels a crawl that has not ended; one that is cancelled stays as it is. Throws 404, and 409 where it ended otherwise. */
export const cancelCrawl = async (
  deps: Deps<typeof cancelCrawlUses>,
  address: CrawlAddress,
  at: string,
): Promise<CrawlRecord> => {
  await requireIndex(deps.indexes, address.organizationId, address.indexId);
  const cancelled = await deps.crawls.cancel(address, at);
  const crawl = cancelled ?? (await requireCrawl(deps, address));
  if (crawl.status !== 'cancelled') throw new AppError('conflict', `The crawl has ended already: ${crawl.status}`);
  // What it has read so far is counted, and an outside crawler is stopped.
  await deps.queue.send(crawl.region, address);
  return crawl;
};
