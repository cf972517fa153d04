import * as z from 'zod';
import { capability, type Runtime } from '../kernel/capability.ts';
import { sendMessage } from '../platform/aws/queue.ts';
import type { CrawlAddress } from './record.ts';

/** Requests the next batch of a crawl. A duplicate does nothing. */
export const CrawlMessage = z.object({ organization_id: z.string(), index_id: z.string(), crawl_id: z.string() });
export type CrawlMessage = z.infer<typeof CrawlMessage>;

/** Queue of the crawl workers of a region. */
export interface CrawlQueue {
  /** @param delaySeconds At most 900. */
  send(region: string, address: CrawlAddress, delaySeconds?: number): Promise<void>;
}

/** Ids of a crawl for messages and log lines. */
export const crawlMessageOf = ({ organizationId, indexId, crawlId }: CrawlAddress): CrawlMessage => ({
  organization_id: organizationId,
  index_id: indexId,
  crawl_id: crawlId,
});

const openCrawlQueue = (runtime: Runtime): CrawlQueue => ({
  send: (region, address, delaySeconds = 0) =>
    sendMessage(runtime, 'crawl', region, crawlMessageOf(address), { delaySeconds }),
});

export const crawlSend = capability<CrawlQueue>(['crawl.send'], openCrawlQueue);

/** Returns the address of the crawl that a message names. */
export const crawlAddressIn = (message: CrawlMessage): CrawlAddress => ({
  organizationId: message.organization_id,
  indexId: message.index_id,
  crawlId: message.crawl_id,
});
