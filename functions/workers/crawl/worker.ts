import { crawlAddressIn, CrawlMessage } from '../../../shared/crawls/index.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { runCrawlBatch } from './steps/crawl-batch.ts';
import { crawlUses } from './uses.ts';

export const crawl = worker({
  id: 'crawl',
  summary: 'Fetches the pages of sites, one at a time for each host, and passes them to the file pipeline',
  queue: 'crawl',
  message: CrawlMessage,
  uses: crawlUses,
  attempts: 6,
  timeoutSeconds: 240,
  memoryMb: 1024,
  assets: ['site-reader'],
  batchSize: 1,
  maxConcurrency: 50,
  handle: async ({ deliveries, deps, run }) => {
    for (const { message } of deliveries) await runCrawlBatch({ deps, run }, crawlAddressIn(message));
    return [];
  },
  onExhausted: async ({ message, deps }) =>
    deps.store.fail(crawlAddressIn(message), 'The crawl could not continue after several attempts'),
});
