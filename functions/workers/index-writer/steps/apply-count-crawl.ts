import { holdingOf, type IndexRecord, type LogMessage } from '../../../../shared/indexes/index.ts';
import { countJob } from '../../../../shared/usage/index.ts';
import { endMonth, keepBooks } from './count-job.ts';
import { acknowledge } from './receipts.ts';
import type { Writing } from './writing.ts';

/**
 * Adds the pages of a crawl that has ended to the account of its index, once. The account remembers the crawl until the
 * crawl itself says that it has been counted.
 */
export const applyCountCrawl = async (writing: Writing, index: IndexRecord, message: LogMessage): Promise<void> => {
  const { deps, run } = writing;
  const { change, organization_id: organizationId, index_id: indexId } = message;
  if (change.op !== 'count_crawl') return;
  const address = { organizationId, indexId, crawlId: change.crawl_id };
  const crawl = await deps.crawls.state(address);
  if (crawl !== null && !crawl.counted && crawl.completedAt !== null) {
    const at = run.clock.now().toISOString();
    const used = { crawl_pages: crawl.pagesFound };
    await endMonth(writing, index, at);
    const usage = countJob({ usage: index.usage, held: holdingOf(index) }, crawl.id, used, at);
    await keepBooks(writing, await deps.indexes.saveUsage(organizationId, indexId, usage), at);
    await deps.crawls.markCounted(address);
  }
  await acknowledge(writing, message, { written: 0, deleted: 0, error: null });
};
