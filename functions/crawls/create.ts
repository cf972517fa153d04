import { hostOf } from '../../shared/http/audit.ts';
import {
  CrawlJobCreate,
  CrawlJobResponse,
  createCrawl,
  createCrawlUses,
  toCrawlResponse,
} from '../../shared/crawls/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const createCrawlJob = endpoint({
  id: 'create-crawl-job',
  method: 'POST',
  path: '/v1/indexes/{index_id}/crawl-jobs',
  tag: 'Crawl jobs',
  summary: 'Crawl a site',
  description:
    'Queues a crawl that starts at `url` and stays on its site. A page limit or a depth beyond the plan is a 402.',
  auth: { needs: 'write' },
  audit: {
    action: 'crawl_job.created',
    before: ({ body }) => ({ name: hostOf(body.url) }),
    after: ({ id }) => ({ id }),
    details: ['page_limit', 'max_depth'],
  },
  errorCodes: ['plan_limit_reached', 'index_not_ready', 'index_full', 'conflict'],
  feature: 'crawl',
  idempotent: true,
  uses: createCrawlUses,
  body: CrawlJobCreate,
  status: 201,
  response: CrawlJobResponse,
  handle: async (call) => toCrawlResponse(await createCrawl(call, call.path.index_id, call.body)),
});
