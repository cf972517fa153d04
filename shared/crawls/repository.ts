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
import { headersField, removeSchedule, schedulePartition } from './schedule-record.ts';
import { memoryPartition, siteSourceId } from './site-memory.ts';
import type { CrawlState, CrawlStore } from './crawl-store.ts';

export interface CrawlReader {
  get(address: CrawlAddress): Promise<CrawlRecord | null>;
  /** Newest first. `scheduleId`: only the crawls that it has started; null and absent: all. */
  list(
    organizationId: string,
    indexId: string,
    page: PageRange & { readonly scheduleId?: string | null },
  ): Promise<{ readonly crawls: readonly CrawlRecord[]; readonly next: string | null }>;
  /** Skipped addresses of a crawl, as long as its frontier is stored. */
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
  /** Stores a new crawl; does nothing if it exists. `headers`: its sealed ones; absent if it has none of its own. */
  add(crawl: NewCrawl, headers?: string): Promise<void>;
  /** Returns the state of a crawl for its worker. */
  state(address: CrawlAddress): Promise<CrawlState | null>;
  /** Marks the usage of an ended crawl as recorded, the last step of a crawl. */
  markCounted(address: CrawlAddress): Promise<void>;
  /** `queued | running` → `cancelled`; null if it was in another status. */
  cancel(address: CrawlAddress, at: string): Promise<CrawlRecord | null>;
}

/** Deletes crawls together with their index. */
export interface CrawlEraser {
  /**
   * Deletes all crawls of an index with their frontiers, site memory and document records.
   * The record of a leased crawl stays, since its run may still write. A later call finds that data by the record.
   * @param isGone Checks the index again after each record is read. If the index exists again, the crawl stays.
   * @returns Whether no crawl was leased.
   */
  removeAll(organizationId: string, indexId: string, isGone?: () => Promise<boolean>): Promise<boolean>;
}

/** Attributes of a new crawl. */
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
    list: async (organizationId, indexId, { limit, after, scheduleId = null }) => {
      const where = scheduleId === null ? {} : { where: { schedule_id: { eq: scheduleId } } };
      const range = { newestFirst: true, limit, after, ...where };
      const page = await table.query(crawlPartition(organizationId, indexId), range);
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
    add: async (crawl, headers) => {
      const item = {
        ...crawlKey({ ...crawl, crawlId: crawl.id }),
        organization_id: crawl.organizationId,
        index_id: crawl.indexId,
        region: crawl.region,
        url: crawl.url,
        page_limit: crawl.pageLimit,
        max_depth: crawl.maxDepth,
        paths: { include: [...crawl.paths.include], exclude: [...crawl.paths.exclude] },
        ...(crawl.headerNames.length === 0 ? {} : { header_names: [...crawl.headerNames] }),
        ...(headers === undefined ? {} : { [headersField]: headers }),
        metadata: JSON.stringify(crawl.metadata),
        ...(crawl.scheduleId === null ? {} : { schedule_id: crawl.scheduleId }),
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
  const secrets = openTable(runtime, 'secrets');
  const documents = documentsWrite.make(runtime);
  return {
    removeAll: async (organizationId, indexId, isGone) => {
      let isAll = true;
      for await (const item of table.all(schedulePartition(organizationId, indexId)))
        await removeSchedule(table, secrets, item);
      for await (const item of crawlsOf(table, organizationId, indexId)) {
        if ((await isGone?.()) === false) break;
        if (item[headersField] !== undefined) await secrets.delete({ pk: item.pk, sk: item.sk });
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
  ['crawls.read', 'crawls.write', 'documents.read', 'documents.write', 'secrets.write'],
  openCrawlEraser,
);

/** One cache for each process. */
const frontierCacheOf = memoizePerOwner(frontierCache);

export const crawlStore = capability<CrawlStore>(['crawls.read', 'crawls.write'], (runtime) => {
  const table = openTable(runtime, 'crawls');
  const cache = frontierCacheOf(runtime);
  return { ...crawlLeases(table, runtime.clock, cache), ...frontierStore(table, runtime.clock, cache) };
});
