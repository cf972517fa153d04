import { hostOf } from '../../shared/http/audit.ts';
import { cancelCrawl, cancelCrawlUses, CrawlJobResponse, toCrawlResponse } from '../../shared/crawls/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const cancelCrawlJob = endpoint({
  id: 'cancel-crawl-job',
  method: 'POST',
  path: '/v1/indexes/{index_id}/crawl-jobs/{crawl_id}/cancel',
  tag: 'Crawl jobs',
  summary: 'Cancel a crawl job',
  description: 'Safe to repeat. A crawl that has completed or failed is a 409.',
  auth: { needs: 'write' },
  audit: {
    action: 'crawl_job.cancelled',
    before: ({ path }) => ({ id: path.crawl_id }),
    after: ({ url }) => ({ name: hostOf(url) }),
  },
  errorCodes: ['conflict'],
  uses: cancelCrawlUses,
  status: 200,
  response: CrawlJobResponse,
  handle: async ({ caller, deps, path, clock }) =>
    toCrawlResponse(
      await cancelCrawl(
        deps,
        { organizationId: caller.organizationId, indexId: path.index_id, crawlId: path.crawl_id },
        clock.now().toISOString(),
      ),
    ),
});
