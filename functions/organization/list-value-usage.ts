import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { cursorOf, nextCursorHeader, PageQuery, toPageRequest } from '../../shared/http/pagination.ts';
import { subjectUsageRead, toUsageBody, usageMonth, UsageQuery, ValueUsage } from '../../shared/usage/index.ts';

export const listValueUsage = endpoint({
  id: 'list-value-usage',
  method: 'GET',
  path: '/v1/organization/usage/values',
  tag: 'Organizations',
  summary: 'List the usage by value',
  description:
    'Lists the values of the usage keys of indexes with their usage of a calendar month in UTC, ordered by index and value, deleted indexes included. A search counts for the value that its filter or that of its credential requires, a written row and a file for the value in their metadata. Up to 10,000 values of an index are counted by themselves in a month, and the others together. Storage counts for none. A credential that is restricted to indexes gets the usage of these indexes.',
  auth: { needs: 'read' },
  uses: { subjectUsage: subjectUsageRead },
  query: UsageQuery.extend({
    ...PageQuery.shape,
    cursor: cursorOf(/^idx_[0-9a-z]{26}#./su),
    index_id: z.string().max(64).optional().describe('Id of the only index to list. Default: all indexes.'),
  }),
  status: 200,
  response: z.array(ValueUsage),
  handle: async ({ caller: { organizationId, indexIds }, deps, query, clock }) => {
    const month = usageMonth(query, clock.now());
    const { index_id: only } = query;
    const listed = only === undefined ? indexIds : [only].filter((id) => indexIds === null || indexIds.includes(id));
    const { entries, next } = await deps.subjectUsage.listValues(organizationId, month, listed, toPageRequest(query));
    const body = entries.map(({ indexId, value, figures }) => ({ index_id: indexId, value, ...toUsageBody(figures) }));
    return { body, headers: nextCursorHeader(next) };
  },
});
