import { hostOf } from '../../shared/http/audit.ts';
import {
  CrawlScheduleResponse,
  CrawlScheduleUpdate,
  scheduleUses,
  toScheduleResponse,
  updateSchedule,
} from '../../shared/crawls/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const updateCrawlSchedule = endpoint({
  id: 'update-crawl-schedule',
  method: 'PATCH',
  path: '/v1/indexes/{index_id}/crawl-schedules/{schedule_id}',
  tag: 'Crawl jobs',
  summary: 'Pause or change a schedule of crawls',
  description:
    'Absent fields stay. A new interval, and that of a resumed schedule, counts from now. `starts_at` starts a crawl at another time, or at once. `headers` replaces all of them.',
  auth: { needs: 'write' },
  audit: {
    action: 'crawl_schedule.updated',
    before: ({ path }) => ({ id: path.schedule_id }),
    after: ({ url }) => ({ name: hostOf(url) }),
    details: ['paused', 'interval_hours', 'starts_at'],
  },
  errorCodes: ['conflict'],
  feature: 'crawl',
  uses: scheduleUses,
  body: CrawlScheduleUpdate,
  status: 200,
  response: CrawlScheduleResponse,
  handle: async ({ caller, deps, path, body, idempotency }) => {
    const address = {
      organizationId: caller.organizationId,
      indexId: path.index_id,
      scheduleId: path.schedule_id,
    };
    return toScheduleResponse(await updateSchedule(deps, address, body, idempotency));
  },
});
