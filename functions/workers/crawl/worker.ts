import { crawlAddressOf, CrawlMessage, crawlSend, crawlsWrite, crawlWork } from '../../../shared/crawls/index.ts';
import { documentUses } from '../../../shared/documents/index.ts';
import { organizationsRead } from '../../../shared/organizations/index.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { outsideCrawler, publicWeb } from '../../../shared/platform/crawl/capability.ts';
import { runTurn } from './steps/run-turn.ts';

export const crawl = worker({
  id: 'crawl',
  summary: 'Reads the pages of sites, one at a time for each host, and hands them to the file pipeline',
  queue: 'crawl',
  message: CrawlMessage,
  uses: {
    ...documentUses,
    crawls: crawlsWrite,
    work: crawlWork,
    queue: crawlSend,
    organizations: organizationsRead,
    web: publicWeb,
    outside: outsideCrawler,
  },
  attempts: 6,
  timeoutSeconds: 180,
  memoryMb: 1024,
  batchSize: 1,
  maxConcurrency: 50,
  handle: async ({ deliveries, deps, run }) => {
    for (const { message } of deliveries) await runTurn({ deps, run }, crawlAddressOf(message));
    return [];
  },
  onTerminal: async ({ message, deps }) =>
    deps.work.fail(crawlAddressOf(message), 'The crawl could not go on, however often it was tried'),
});
