import * as z from 'zod';
import { capability, type Runtime } from '../kernel/capability.ts';
import { sendMessage } from '../platform/aws/queue.ts';
import type { CrawlAddress } from './record.ts';

/** Asks for work on a crawl; one too many does nothing. */
export const CrawlMessage = z.object({ organization_id: z.string(), index_id: z.string(), crawl_id: z.string() });
export type CrawlMessage = z.infer<typeof CrawlMessage>;

/** Hands crawls to the workers of a region. */
export interface CrawlQueue {
  /** @param delaySeconds At most 900. */
  send(region: string, address: CrawlAddress, delaySeconds?: number): Promise<void>;
}

const openCrawlQueue = (runtime: Runtime): CrawlQueue => ({
  send: (region, { organizationId, indexId, crawlId }, delaySeconds = 0) => {
    const message: CrawlMessage = { organization_id: organizationId, index_id: indexId, crawl_id: crawlId };
    return sendMessage(runtime, 'crawl', region, message, { delaySeconds });
  },
});

export const crawlSend = capability<CrawlQueue>(['crawl.send'], openCrawlQueue);

/** The crawl that a message is about. */
export const crawlAddressIn = (message: CrawlMessage): CrawlAddress => ({
  organizationId: message.organization_id,
  indexId: message.index_id,
  crawlId: message.crawl_id,
});
