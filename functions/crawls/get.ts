import { CrawlJobReport, crawlsRead, requireCrawl, toCrawlReport } from '../../shared/crawls/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

export const getCrawlJob = endpoint({
  id: 'get-crawl-job',
  method: 'GET',
  path: '/v1/indexes/{index_id}/crawl-jobs/{crawl_id}',
  tag: 'Crawl jobs',
  summary: 'Get a crawl job',
  description: 'Returns the crawl with the number of skipped addresses by reason.',
  auth: { needs: 'read' },
  uses: { indexes: indexesRead, crawls: crawlsRead },
  status: 200,
  response: CrawlJobReport,
  handle: async ({ caller, deps, path }) =>
    toCrawlReport(
      await requireCrawl(deps, {
        organizationId: caller.organizationId,
        indexId: path.index_id,
        crawlId: path.crawl_id,
      }),
    ),
});
