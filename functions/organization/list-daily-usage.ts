import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { cursorOf, nextCursorHeader, PageQuery, paginate, toPageRequest } from '../../shared/http/pagination.ts';
import {
  DailyUsage,
  dailyUsage,
  dateRangeOf,
  dateRangeQuery,
  usageDayKey,
  usageRead,
} from '../../shared/usage/index.ts';

export const listDailyUsage = endpoint({
  id: 'list-daily-usage',
  method: 'GET',
  path: '/v1/organization/usage/daily',
  tag: 'Organizations',
  summary: 'List the usage by day and index',
  description:
    'One item for each day (UTC) and index with stored content or usage, ordered by day and then by index, deleted indexes included. The days of a month add up to its usage. A credential that is restricted to indexes gets the usage of these indexes.',
  auth: { needs: 'read' },
  uses: { usage: usageRead },
  query: PageQuery.extend({
    cursor: cursorOf(/^\d{4}-\d{2}-\d{2} idx_[0-9a-z]{26}$/),
    ...dateRangeQuery,
    index_id: z.string().optional().describe('Id of the only index to list. Default: all indexes.'),
  }),
  status: 200,
  response: z.array(DailyUsage),
  handle: async ({ caller, deps, query, clock }) => {
    const now = clock.now();
    const range = dateRangeOf(query, now);
    const page = toPageRequest(query);
    const isCounted = (id: string): boolean =>
      (caller.indexIds === null || caller.indexIds.includes(id)) && (query.index_id ?? id) === id;
    const days = await dailyUsage(deps.usage, caller.organizationId, now, range, isCounted, page);
    const { items, next } = paginate(days, usageDayKey, page);
    const body = items.map((day) => ({
      date: day.date,
      index_id: day.indexId,
      vectors: day.vectors,
      dense_bytes: day.denseBytes,
      sparse_bytes: day.sparseBytes,
      original_bytes: day.originalBytes,
      searches: day.searches,
      file_jobs: day.fileJobs,
      ...day.used,
    }));
    return { body, headers: nextCursorHeader(next) };
  },
});
