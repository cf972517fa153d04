import { absent } from '../db/condition.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { type CrawlAddress, crawlKey, crawlPartition, type CrawlRecord, toCrawlRecord } from './record.ts';

export interface CrawlReader {
  get(address: CrawlAddress): Promise<CrawlRecord | null>;
  /** Newest first. */
  list(
    organizationId: string,
    indexId: string,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<{ readonly crawls: readonly CrawlRecord[]; readonly next: string | null }>;
}

export interface CrawlWriter extends CrawlReader {
  /** Stores a new crawl; without effect where it is there already. */
  add(crawl: NewCrawl): Promise<void>;
  /** Forgets every crawl of an index. */
  removeAll(organizationId: string, indexId: string): Promise<void>;
  /** `queued | running` → `cancelled`; null where it was neither. */
  cancel(address: CrawlAddress, at: string): Promise<CrawlRecord | null>;
}

/** What is known of a crawl when it is asked for. */
export type NewCrawl = Omit<CrawlRecord, 'providerJobId' | 'pagesFound' | 'error' | 'startedAt' | 'completedAt'>;

const openCrawlReader = (runtime: Runtime): CrawlReader => {
  const table = openTable(runtime, 'crawls');
  return {
    get: async (address) => {
      const item = await table.get(crawlKey(address));
      return item === null ? null : toCrawlRecord(item);
    },
    list: async (organizationId, indexId, { limit, after }) => {
      const page = await table.query(crawlPartition(organizationId, indexId), {
        newestFirst: true,
        limit,
        ...(after === null ? {} : { after }),
      });
      return { crawls: page.items.map(toCrawlRecord), next: page.next };
    },
  };
};

const openCrawlWriter = (runtime: Runtime): CrawlWriter => {
  const table = openTable(runtime, 'crawls');
  return {
    ...openCrawlReader(runtime),
    removeAll: async (organizationId, indexId) => {
      for await (const { pk, sk } of table.all(crawlPartition(organizationId, indexId))) await table.delete({ pk, sk });
    },
    add: async (crawl) => {
      const item = {
        ...crawlKey({ ...crawl, crawlId: crawl.id }),
        organization_id: crawl.organizationId,
        index_id: crawl.indexId,
        region: crawl.region,
        url: crawl.url,
        page_limit: crawl.pageLimit,
        max_depth: crawl.maxDepth,
        status: crawl.status,
        created_at: crawl.createdAt,
      };
      await table.put(item, absent);
    },
    cancel: async (address, at) => {
      const item = await table.update(crawlKey(address), {
        set: { status: 'cancelled', completed_at: at },
        condition: { pk: { exists: true }, status: { in: ['queued', 'running'] } },
      });
      return item === null ? null : toCrawlRecord(item);
    },
  };
};

export const crawlsRead = capability<CrawlReader>(['crawls.read'], openCrawlReader);
export const crawlsWrite = capability<CrawlWriter>(['crawls.read', 'crawls.write'], openCrawlWriter);
