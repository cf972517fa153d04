import { absent, present } from '../db/condition.ts';
import { dueAttributes, dueBy } from '../db/due.ts';
import type { Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { documentsWrite } from '../documents/index.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { memoizePerOwner } from '../kernel/memoize.ts';
import {
  entryPrefix,
  frontierPartition,
  reported,
  type SkippedPage,
  toEntry,
  toSkippedPage,
} from './frontier-record.ts';
import { crawlsOf, unleased, crawlLeases, newWork, toCrawlState } from './crawl-lease.ts';
import { frontierStore } from './frontier-store.ts';
import { frontierCache } from './frontier-cache.ts';
import { type CrawlAddress, crawlKey, crawlPartition, type CrawlRecord, toCrawlRecord } from './record.ts';
import { memoryPartition, siteSourceId } from './site-memory.ts';
import type { CrawlState, CrawlStore } from './crawl-store.ts';

export interface CrawlReader {
  get(address: CrawlAddress): Promise<CrawlRecord | null>;
  /** Newest first. */
  list(
    organizationId: string,
    indexId: string,
    page: PageRange,
  ): Promise<{ readonly crawls: readonly CrawlRecord[]; readonly next: string | null }>;
  /** Addresses that a crawl has left out, for as long as its addresses are kept. */
  skipped(
    crawl: CrawlRecord,
    page: PageRange,
  ): Promise<{ readonly pages: readonly SkippedPage[]; readonly next: string | null }>;
}

interface PageRange {
  readonly limit: number;
  readonly after: string | null;
}

export interface CrawlWriter extends CrawlReader {
  /** Stores a new crawl; without effect where it is there already. */
  add(crawl: NewCrawl): Promise<void>;
  /** A crawl as whoever works on it sees it. */
  state(address: CrawlAddress): Promise<CrawlState | null>;
  /** Notes that the pages of an ended crawl are in the books, which is the last thing to be done for it. */
  markCounted(address: CrawlAddress): Promise<void>;
  /** `queued | running` → `cancelled`; null where it was neither. */
  cancel(address: CrawlAddress, at: string): Promise<CrawlRecord | null>;
}

/** Forgets crawls together with their index. */
export interface CrawlEraser {
  /**
   * Forgets every crawl of an index, all that they remember of sites, and what is known of the pages. The record of one that
   * a run holds stays: the run may still write, and by the record a later call finds what it wrote.
   * @param isGone Asked about the index for each once it has been read: where it is there again, the crawl stays.
   * @returns Whether no run held any.
   */
  removeAll(organizationId: string, indexId: string, isGone?: () => Promise<boolean>): Promise<boolean>;
}

/** What is known of a crawl when it is asked for. */
export type NewCrawl = Omit<
  CrawlRecord,
  'providerJobId' | 'pagesFound' | 'skipped' | 'error' | 'startedAt' | 'completedAt'
>;

const openCrawlReader = (runtime: Runtime): CrawlReader => {
  const table = openTable(runtime, 'crawls');
  return {
    get: async (address) => {
      const item = await table.get(crawlKey(address));
      return item === null ? null : toCrawlRecord(item);
    },
    list: async (organizationId, indexId, { limit, after }) => {
      const page = await table.query(crawlPartition(organizationId, indexId), { newestFirst: true, limit, after });
      return { crawls: page.items.map(toCrawlRecord), next: page.next };
    },
    skipped: async (crawl, { limit, after }) => {
      const isOver = crawl.status === 'completed';
      const range = { prefix: entryPrefix, where: reported(isOver), limit, after };
      const page = await table.query(frontierPartition(crawl.id), range);
      const unread = crawl.pagesFound >= crawl.pageLimit ? 'page_limit' : 'unread';
      return { pages: page.items.map(toEntry).map((entry) => toSkippedPage(entry, unread)), next: page.next };
    },
  };
};

const removePartition = async (table: Table, partition: string): Promise<void> => {
  for await (const { pk, sk } of table.all(partition)) await table.delete({ pk, sk });
};

const openCrawlWriter = (runtime: Runtime): CrawlWriter => {
  const table = openTable(runtime, 'crawls');
  return {
    ...openCrawlReader(runtime),
    state: async (address) => {
      const item = await table.get(crawlKey(address));
      return item === null ? null : toCrawlState(item);
    },
    markCounted: async (address) => {
      await table.update(crawlKey(address), {
        set: { counted: true },
        remove: [...dueAttributes, 'holder'],
        condition: { ...present, status: { in: ['completed', 'failed', 'cancelled'] } },
      });
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
        ...newWork(crawl, crawl.createdAt),
      };
      await table.put(item, absent);
    },
    cancel: async (address, at) => {
      const item = await table.update(crawlKey(address), {
        set: { status: 'cancelled', completed_at: at, ...dueBy('CRAWLS', address.organizationId, new Date(at)) },
        condition: { ...present, status: { in: ['queued', 'running'] } },
      });
      return item === null ? null : toCrawlRecord(item);
    },
  };
};

const openCrawlEraser = (runtime: Runtime): CrawlEraser => {
  const table = openTable(runtime, 'crawls');
  const documents = documentsWrite.make(runtime);
  return {
    removeAll: async (organizationId, indexId, isGone) => {
      let isAll = true;
      for await (const item of crawlsOf(table, organizationId, indexId)) {
        if ((await isGone?.()) === false) break;
        await removePartition(table, frontierPartition(item.sk));
        const { site } = toCrawlState(item);
        await removePartition(table, memoryPartition(organizationId, indexId, site));
        await documents.clear({ organizationId, indexId, sourceId: siteSourceId(site) });
        isAll = (await table.delete({ pk: item.pk, sk: item.sk }, unleased(runtime.clock.now()))) && isAll;
      }
      return isAll;
    },
  };
};

export const crawlsRead = capability<CrawlReader>(['crawls.read'], openCrawlReader);
export const crawlsWrite = capability<CrawlWriter>(['crawls.read', 'crawls.write'], openCrawlWriter);

export const crawlsErase = capability<CrawlEraser>(
  ['crawls.read', 'crawls.write', 'documents.read', 'documents.write'],
  openCrawlEraser,
);

/** One of each process. */
const frontierCacheOf = memoizePerOwner(frontierCache);

export const crawlStore = capability<CrawlStore>(['crawls.read', 'crawls.write'], (runtime) => {
  const table = openTable(runtime, 'crawls');
  const lefts = frontierCacheOf(runtime);
  return { ...crawlLeases(table, runtime.clock, lefts), ...frontierStore(table, runtime.clock, lefts) };
});
