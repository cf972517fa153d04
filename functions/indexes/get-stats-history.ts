import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import {
  HistoryQuery,
  holdingOf,
  indexesRead,
  requireIndex,
  toHistoryPoint,
  UsageHistoryPoint,
} from '../../shared/indexes/index.ts';
import { addDays, dateOf, indexHistory, usageRead } from '../../shared/usage/index.ts';

export const getIndexStatsHistory = endpoint({
  id: 'get-index-stats-history',
  method: 'GET',
  path: '/v1/indexes/{index_id}/stats/history',
  tag: 'Indexes',
  summary: 'Get the daily figures of an index',
  description:
    'One point for each day until today (UTC), oldest first: stored amounts at the end of the day, and usage of the day.',
  auth: { needs: 'read' },
  uses: { indexes: indexesRead, usage: usageRead },
  query: HistoryQuery,
  status: 200,
  response: z.array(UsageHistoryPoint),
  handle: async ({ caller, deps, path, query, clock }) => {
    const index = await requireIndex(deps.indexes, caller.organizationId, path.index_id);
    const now = clock.now();
    const today = dateOf(now);
    const range = { from: addDays(today, 1 - query.days), to: today };
    const history = await indexHistory(deps.usage, index, holdingOf(index), now, range);
    return history.map(({ used, ...day }) => toHistoryPoint({ ...day, ...used }));
  },
});
