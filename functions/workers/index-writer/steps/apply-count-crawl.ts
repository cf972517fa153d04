import type { CrawlAddress } from '../../../../shared/crawls/index.ts';
import type { IndexRecord, MessageOf } from '../../../../shared/indexes/index.ts';
import { addUsage } from './update-ledger.ts';
import { acknowledge, done } from './receipts.ts';
import type { Writing } from '../uses.ts';

/**
 * Adds the pages of an ended crawl to the usage counters of its index, once. The counters remember the crawl until the crawl
 * is marked as counted.
 */
export const countEndedCrawl = async (writing: Writing, address: CrawlAddress): Promise<void> => {
  const { deps, run } = writing;
  const crawl = await deps.crawls.state(address);
  const index = await deps.indexes.get(address.organizationId, address.indexId);
  if (crawl === null || crawl.counted || crawl.completedAt === null || index === null) return;
  const at = run.clock.now().toISOString();
  const used = { crawl_pages: crawl.pagesFound };
  await addUsage(writing, index, { id: crawl.id, used }, at);
  await deps.crawls.markCounted(address);
};

/** Adds the pages of an ended crawl to the usage ledger. */
export const applyCountCrawl = async (
  writing: Writing,
  { organizationId, id: indexId }: IndexRecord,
  message: MessageOf<'count_crawl'>,
): Promise<void> => {
  await countEndedCrawl(writing, { organizationId, indexId, crawlId: message.change.crawl_id });
  await acknowledge(writing, message, done);
};
