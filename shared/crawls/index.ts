export { cancelCrawl, requireCrawl } from './cancel.ts';
export { createCrawl, createCrawlUses } from './create.ts';
export { toCrawlResponse } from './record.ts';
export { crawlsRead, crawlsWrite } from './repository.ts';
export { CrawlJobCreate, CrawlJobResponse } from './schemas.ts';
