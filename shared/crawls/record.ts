import type * as z from 'zod';
import { numberOf, textOf } from '../db/read-item.ts';
import type { Item } from '../db/contracts.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { Patterns } from '../kernel/wildcard.ts';
import type { CrawlJobReport, CrawlJobResponse, CrawlStatus } from './schemas.ts';
import type { SkipCounts } from './skip-reason.ts';

/** Ids that address a crawl. */
export interface CrawlAddress {
  readonly organizationId: string;
  readonly indexId: string;
  readonly crawlId: string;
}

/** A stored crawl. */
export interface CrawlRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly indexId: string;
  readonly region: string;
  readonly url: string;
  readonly pageLimit: number;
  readonly maxDepth: number;
  readonly paths: Patterns;
  /** Names of the headers of requests to its site, in lower case. */
  readonly headerNames: readonly string[];
  /** Metadata of the user, which every chunk has. */
  readonly metadata: JsonObject;
  /** Schedule that created it; null: a request did. */
  readonly scheduleId: string | null;
  readonly status: CrawlStatus;
  /** Id of the job at the external crawler; null if this deployment crawls. */
  readonly providerJobId: string | null;
  readonly pagesFound: number;
  /** Number of skipped addresses by reason. */
  readonly skipped: SkipCounts;
  readonly error: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
}

export const crawlPartition = (organizationId: string, indexId: string): string => `INDEX#${organizationId}#${indexId}`;

export const crawlKey = ({ organizationId, indexId, crawlId }: CrawlAddress) => ({
  pk: crawlPartition(organizationId, indexId),
  sk: crawlId,
});

export const toCrawlRecord = (item: Item): CrawlRecord => ({
  id: item.sk,
  organizationId: item['organization_id'] as string,
  indexId: item['index_id'] as string,
  region: item['region'] as string,
  url: item['url'] as string,
  pageLimit: item['page_limit'] as number,
  maxDepth: item['max_depth'] as number,
  paths: item['paths'] as unknown as Patterns,
  headerNames: (item['header_names'] as readonly string[] | undefined) ?? [],
  metadata: JSON.parse(item['metadata'] as string) as JsonObject,
  scheduleId: textOf(item, 'schedule_id'),
  status: item['status'] as CrawlStatus,
  providerJobId: textOf(item, 'provider_job_id'),
  pagesFound: numberOf(item, 'pages_found'),
  skipped: (item['skipped'] as SkipCounts | undefined) ?? {},
  error: textOf(item, 'error'),
  createdAt: item['created_at'] as string,
  startedAt: textOf(item, 'started_at'),
  completedAt: textOf(item, 'completed_at'),
});

/** Returns the API representation of a crawl. */
export const toCrawlResponse = (crawl: CrawlRecord): z.input<typeof CrawlJobResponse> => ({
  id: crawl.id,
  url: crawl.url,
  page_limit: crawl.pageLimit,
  max_depth: crawl.maxDepth,
  include_paths: [...crawl.paths.include],
  exclude_paths: [...crawl.paths.exclude],
  header_names: [...crawl.headerNames],
  metadata: crawl.metadata,
  schedule_id: crawl.scheduleId,
  status: crawl.status,
  created_at: crawl.createdAt,
  provider_job_id: crawl.providerJobId,
  pages_found: crawl.pagesFound,
  error: crawl.error,
  started_at: crawl.startedAt,
  completed_at: crawl.completedAt,
});

/** Returns the API representation of a crawl with its skip counts. */
export const toCrawlReport = (crawl: CrawlRecord): z.input<typeof CrawlJobReport> => ({
  ...toCrawlResponse(crawl),
  pages_skipped: Object.values(crawl.skipped).reduce((sum, count) => sum + count, 0),
  skipped_reasons: { ...crawl.skipped },
});
