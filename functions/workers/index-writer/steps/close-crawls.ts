import type { IndexRecord } from '../../../../shared/indexes/index.ts';
import { countEndedCrawl } from './apply-count-crawl.ts';
import type { Writing } from '../uses.ts';

const pageSize = 100;

/** Cancels every crawl of a deleted index, and counts the pages that it has found. */
export const closeCrawls = async (writing: Writing, { organizationId, id }: IndexRecord): Promise<void> => {
  const { crawls } = writing.deps;
  let after: string | null = null;
  do {
    const page = await crawls.list(organizationId, id, { limit: pageSize, after });
    for (const crawl of page.crawls) {
      const address = { organizationId, indexId: id, crawlId: crawl.id };
      await crawls.cancel(address, writing.run.clock.now().toISOString());
      await countEndedCrawl(writing, address);
    }
    after = page.next;
  } while (after !== null);
};
