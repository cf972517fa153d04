import { scheduleUses } from '../../shared/crawls/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { requireIndex } from '../../shared/indexes/index.ts';
import { notFound } from '../../shared/kernel/errors.ts';

export const deleteCrawlSchedule = endpoint({
  id: 'delete-crawl-schedule',
  method: 'DELETE',
  path: '/v1/indexes/{index_id}/crawl-schedules/{schedule_id}',
  tag: 'Crawl jobs',
  summary: 'Delete a schedule of crawls',
  description: 'Starts no further crawl. Crawls that it has started, and their pages, stay.',
  auth: { needs: 'write' },
  audit: { action: 'crawl_schedule.deleted', before: ({ path }) => ({ id: path.schedule_id }) },
  uses: scheduleUses,
  status: 204,
  handle: async ({ caller, deps, path }) => {
    const address = {
      organizationId: caller.organizationId,
      indexId: path.index_id,
      scheduleId: path.schedule_id,
    };
    await requireIndex(deps.indexes, address.organizationId, address.indexId);
    if (!(await deps.schedules.delete(address))) throw notFound('Schedule');
    return undefined;
  },
});
