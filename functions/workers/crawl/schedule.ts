import { crawlSend, crawlStore } from '../../../shared/crawls/index.ts';
import { processBatch, maxBatchItems } from '../../../shared/pipeline/process-batch.ts';
import { schedule } from '../../../shared/pipeline/worker.ts';

/**
 * Sends a message for each crawl that is overdue. A duplicate message is harmless: the lease of the crawl rejects it.
 */
export const sweepCrawls = schedule({
  id: 'sweep-crawls',
  summary: 'Resumes crawls whose message was lost or whose run crashed',
  scope: 'home',
  everyMinutes: 1,
  timeoutSeconds: 50,
  memoryMb: 256,
  uses: { store: crawlStore, queue: crawlSend },
  handle: async ({ deps }) => {
    await processBatch(await deps.store.overdue(maxBatchItems), async (address) => {
      const crawl = await deps.store.postpone(address);
      if (crawl !== null) await deps.queue.send(crawl.region, address);
    });
  },
});
