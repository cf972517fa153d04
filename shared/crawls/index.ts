export { cancelCrawl, cancelCrawlUses, requireCrawl } from './cancel.ts';
export { createCrawl, createCrawlUses } from './create.ts';
export type { Discovery } from './add-to-frontier.ts';
export { type Frontier, openFrontier } from './frontier.ts';
export type { Ending, FrontierEntry, Outcome } from './frontier-record.ts';
export type { CrawlHeaders } from './header-schemas.ts';
export { crawlHeadersRead, headersTo } from './headers.ts';
export { crawlAddressIn, CrawlMessage, crawlMessageOf, crawlSend } from './messages.ts';
export { hashOf, type PageAddress, singleSlashed, siteOf, toPageAddress } from './page-address.ts';
export { type CrawlAddress, toCrawlReport, toCrawlResponse } from './record.ts';
export { crawlsErase, crawlsRead, crawlsWrite, crawlStore } from './repository.ts';
export { type ScheduleRecord, schedulesDue, schedulesRead } from './schedule-record.ts';
export {
  createSchedule,
  crawlOfRun,
  createScheduleUses,
  nextRunAfter,
  requireSchedule,
  scheduleUses,
  toScheduleResponse,
  updateSchedule,
} from './schedules.ts';
export {
  CrawlJobCreate,
  CrawlJobReport,
  CrawlJobResponse,
  CrawlScheduleCreate,
  CrawlScheduleResponse,
  CrawlScheduleUpdate,
  SkippedPageResponse,
} from './schemas.ts';
export type { SkipCounts } from './skip-reason.ts';
export { rememberedLinks, type RememberedPage, siteSourceId } from './site-memory.ts';
export { type CrawlState, type CrawlLease, LeaseLost } from './crawl-store.ts';
