import {
  CrawlScheduleResponse,
  requireSchedule,
  schedulesRead,
  toScheduleResponse,
} from '../../shared/crawls/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

export const getCrawlSchedule = endpoint({
  id: 'get-crawl-schedule',
  method: 'GET',
  path: '/v1/indexes/{index_id}/crawl-schedules/{schedule_id}',
  tag: 'Crawl jobs',
  summary: 'Get a schedule of crawls',
  description: 'Returns the schedule with its next time and its last crawl.',
  auth: { needs: 'read' },
  uses: { indexes: indexesRead, schedules: schedulesRead },
  status: 200,
  response: CrawlScheduleResponse,
  handle: async ({ caller, deps, path }) => {
    const address = {
      organizationId: caller.organizationId,
      indexId: path.index_id,
      scheduleId: path.schedule_id,
    };
    return toScheduleResponse(await requireSchedule(deps, address));
  },
});
