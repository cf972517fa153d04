import * as z from 'zod';
import { CrawlScheduleResponse, schedulesRead, toScheduleResponse } from '../../shared/crawls/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead, requireIndex } from '../../shared/indexes/index.ts';

export const listCrawlSchedules = endpoint({
  id: 'list-crawl-schedules',
  method: 'GET',
  path: '/v1/indexes/{index_id}/crawl-schedules',
  tag: 'Crawl jobs',
  summary: 'List the schedules of crawls',
  description: 'Returns all schedules of the index, newest first.',
  auth: { needs: 'read' },
  uses: { indexes: indexesRead, schedules: schedulesRead },
  status: 200,
  response: z.array(CrawlScheduleResponse),
  handle: async ({ caller, deps, path }) => {
    await requireIndex(deps.indexes, caller.organizationId, path.index_id);
    return (await deps.schedules.list(caller.organizationId, path.index_id)).map(toScheduleResponse);
  },
});
