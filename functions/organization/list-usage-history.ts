import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { HistoryQuery, toHistoryPoint, UsageHistoryPoint } from '../../shared/indexes/index.ts';
import { addDays, dateOf, organizationHistory, usageRead } from '../../shared/usage/index.ts';

export const listUsageHistory = endpoint({
  id: 'list-usage-history',
  method: 'GET',
  path: '/v1/organization/usage/history',
  tag: 'Organizations',
  summary: 'Get the usage by day',
  description:
    'One point for each day until today (UTC), oldest first, with the figures of all indexes together: stored amounts at the end of the day, and usage of the day. A credential that is restricted to indexes gets the usage of these indexes.',
  auth: { needs: 'read' },
  uses: { usage: usageRead },
  query: HistoryQuery,
  status: 200,
  response: z.array(UsageHistoryPoint),
  handle: async ({ caller: { organizationId, indexIds }, deps, query, clock }) => {
    const now = clock.now();
    const range = { from: addDays(dateOf(now), 1 - query.days), to: dateOf(now) };
    const isCounted = (id: string): boolean => indexIds === null || indexIds.includes(id);
    return (await organizationHistory(deps.usage, organizationId, now, range, isCounted)).map(toHistoryPoint);
  },
});
