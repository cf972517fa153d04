import { crawlSend, crawlWork } from '../../../shared/crawls/index.ts';
import { schedule } from '../../../shared/pipeline/worker.ts';

const limit = 500;

/** A message too many finds its crawl in other hands, so this may run beside the work that it looks after. */
export const sweepCrawls = schedule({
  id: 'sweep-crawls',
  summary: 'Sets crawls going again whose message was lost or whose run died',
  scope: 'home',
  everyMinutes: 1,
  timeoutSeconds: 50,
  memoryMb: 256,
  uses: { work: crawlWork, queue: crawlSend },
  handle: async ({ deps }) => {
    for (const address of await deps.work.overdue(limit)) {
      const crawl = await deps.work.remind(address);
      if (crawl !== null) await deps.queue.send(crawl.region, address);
    }
  },
});
