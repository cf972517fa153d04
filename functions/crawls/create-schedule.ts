import { hostOf } from '../../shared/http/audit.ts';
import {
  createSchedule,
  CrawlScheduleCreate,
  CrawlScheduleResponse,
  createScheduleUses,
  toScheduleResponse,
} from '../../shared/crawls/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const createCrawlSchedule = endpoint({
  id: 'create-crawl-schedule',
  method: 'POST',
  path: '/v1/indexes/{index_id}/crawl-schedules',
  tag: 'Crawl jobs',
  summary: 'Schedule a crawl',
  description:
    'Each run is an ordinary crawl job, which updates the pages of the runs before. If a run is still going on at the time of the next one, that one is left out. A page limit or a depth beyond the plan is a 402.',
  auth: { needs: 'write' },
  audit: {
    action: 'crawl_schedule.created',
    before: ({ body }) => ({ name: hostOf(body.url) }),
    after: ({ id }) => ({ id }),
    details: ['page_limit', 'max_depth', 'interval_hours'],
  },
  errorCodes: ['plan_limit_reached', 'conflict'],
  feature: 'crawl',
  idempotent: true,
  uses: createScheduleUses,
  body: CrawlScheduleCreate,
  status: 201,
  response: CrawlScheduleResponse,
  handle: async (call) => toScheduleResponse(await createSchedule(call, call.path.index_id, call.body)),
});
