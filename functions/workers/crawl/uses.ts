import { crawlHeadersRead, crawlSend, crawlsWrite, crawlStore } from '../../../shared/crawls/index.ts';
import { documentUses } from '../../../shared/documents/index.ts';
import { indexesWrite } from '../../../shared/indexes/index.ts';
import { organizationsRead } from '../../../shared/organizations/index.ts';
import { siteReader } from '../../../shared/platform/crawl/site-reader.ts';
import { externalCrawler, publicWeb } from '../../../shared/platform/crawl/capability.ts';

export const crawlUses = {
  ...documentUses,
  indexes: indexesWrite,
  crawls: crawlsWrite,
  store: crawlStore,
  headers: crawlHeadersRead,
  queue: crawlSend,
  organizations: organizationsRead,
  web: publicWeb,
  reader: siteReader,
  externalCrawler,
};
