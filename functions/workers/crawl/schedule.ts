import { crawlSend, crawlStore } from '../../../shared/crawls/index.ts';
import { lookAtEach, maxLookedAt } from '../../../shared/pipeline/look-at-each.ts';
import { schedule } from '../../../shared/pipeline/worker.ts';

/** A message too many finds its crawl in other hands, so this may run beside the work that it looks after. */
export const sweepCrawls = schedule({
  id: 'sweep-crawls',
  summary: 'Sets crawls going again whose message was lost or whose run died',
  scope: 'home',
  everyMinutes: 1,
  timeoutSeconds: 50,
  memoryMb: 256,
  uses: { store: crawlStore, queue: crawlSend },
  handle: async ({ deps }) => {
    await lookAtEach(await deps.store.overdue(maxLookedAt), async (address) => {
      const crawl = await deps.store.postpone(address);
      if (crawl !== null) await deps.queue.send(crawl.region, address);
    });
  },
});
