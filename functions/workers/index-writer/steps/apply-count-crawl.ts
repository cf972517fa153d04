import type { CrawlAddress } from '../../../../shared/crawls/index.ts';
import type { IndexRecord, MessageOf } from '../../../../shared/indexes/index.ts';
import { addToAccount } from './books.ts';
import { acknowledge, done } from './receipts.ts';
import type { Writing } from '../uses.ts';

/**
 * Adds the pages of a crawl that has ended to the account of its index, once. The account remembers the crawl until the
 * crawl itself says that it has been counted.
 */
export const countEndedCrawl = async (writing: Writing, address: CrawlAddress): Promise<void> => {
  const { deps, run } = writing;
  const crawl = await deps.crawls.state(address);
  const index = await deps.indexes.get(address.organizationId, address.indexId);
  if (crawl === null || crawl.counted || crawl.completedAt === null || index === null) return;
  const at = run.clock.now().toISOString();
  const used = { crawl_pages: crawl.pagesFound };
  await addToAccount(writing, index, { id: crawl.id, used }, at);
  await deps.crawls.markCounted(address);
};

/** Puts the pages of a crawl that has ended into the books. */
export const applyCountCrawl = async (
  writing: Writing,
  { organizationId, id: indexId }: IndexRecord,
  message: MessageOf<'count_crawl'>,
): Promise<void> => {
  await countEndedCrawl(writing, { organizationId, indexId, crawlId: message.change.crawl_id });
  await acknowledge(writing, message, done);
};
