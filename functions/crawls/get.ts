import { CrawlJobResponse, crawlsRead, requireCrawl, toCrawlResponse } from '../../shared/crawls/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

export const getCrawlJob = endpoint({
  id: 'get-crawl-job',
  method: 'GET',
  path: '/v1/indexes/{index_id}/crawl-jobs/{crawl_id}',
  tag: 'Crawl jobs',
  summary: 'Get a crawl job',
  auth: { needs: 'read' },
  uses: { indexes: indexesRead, crawls: crawlsRead },
  status: 200,
  response: CrawlJobResponse,
  handle: async ({ caller, deps, path }) =>
    toCrawlResponse(
      await requireCrawl(deps, {
        organizationId: caller.organizationId,
        indexId: path.index_id,
        crawlId: path.crawl_id,
      }),
    ),
});
