import * as z from 'zod';
import { CrawlJobResponse, crawlsRead, toCrawlResponse } from '../../shared/crawls/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, pageQueryOf, toPageRequest } from '../../shared/http/pagination.ts';
import { indexesRead, requireIndex } from '../../shared/indexes/index.ts';
import { idPattern } from '../../shared/kernel/ids.ts';

const Query = pageQueryOf('crawl').extend({
  schedule_id: z
    .string()
    .regex(idPattern('sched'))
    .optional()
    .meta({ description: 'Only the crawls that this schedule has started.' }),
});

export const listCrawlJobs = endpoint({
  id: 'list-crawl-jobs',
  method: 'GET',
  path: '/v1/indexes/{index_id}/crawl-jobs',
  tag: 'Crawl jobs',
  summary: 'List crawl jobs',
  description: 'Returns crawl jobs, newest first.',
  auth: { needs: 'read' },
  uses: { indexes: indexesRead, crawls: crawlsRead },
  query: Query,
  status: 200,
  response: z.array(CrawlJobResponse),
  handle: async ({ caller, deps, path, query }) => {
    await requireIndex(deps.indexes, caller.organizationId, path.index_id);
    const { crawls, next } = await deps.crawls.list(caller.organizationId, path.index_id, {
      ...toPageRequest(query),
      scheduleId: query.schedule_id ?? null,
    });
    return { body: crawls.map(toCrawlResponse), headers: nextCursorHeader(next) };
  },
});
