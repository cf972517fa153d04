import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { cursorOf, nextCursorHeader, PageQuery, paginate, toPageRequest } from '../../shared/http/pagination.ts';
import { indexesRead, isLive } from '../../shared/indexes/index.ts';
import {
  estimateCostUsd,
  IndexUsage,
  indexUsages,
  usageMonth,
  UsageQuery,
  usageRead,
} from '../../shared/usage/index.ts';

const sortable = (figure: number): string => String(figure).padStart(15, '0');

export const listIndexUsage = endpoint({
  id: 'list-index-usage',
  method: 'GET',
  path: '/v1/organization/usage/indexes',
  tag: 'Organizations',
  summary: 'List the usage by index',
  description:
    'Lists the indexes that stored or used something in a calendar month in UTC, deleted indexes included: the highest estimated cost first, then the most searches. A credential that is restricted to indexes gets the usage of these indexes.',
  auth: { needs: 'read' },
  uses: { usage: usageRead, indexes: indexesRead },
  query: UsageQuery.extend({ ...PageQuery.shape, cursor: cursorOf(/^\d{15,} \d{15,} idx_[0-9a-z]{26}$/) }),
  status: 200,
  response: z.array(IndexUsage),
  handle: async ({ caller: { organizationId, indexIds }, deps, query, clock }) => {
    const now = clock.now();
    const isCounted = (id: string): boolean => indexIds === null || indexIds.includes(id);
    const used = await indexUsages(deps.usage, organizationId, now, usageMonth(query, now), isCounted);
    const keyed = used
      .map((index) => {
        const [costUsd, { dense, sparse, hybrid }] = [estimateCostUsd(index), index.searches];
        const key = `${sortable(Math.round(100 * costUsd))} ${sortable(dense + sparse + hybrid)} ${index.indexId}`;
        return { key, costUsd, index };
      })
      .toSorted((one, other) => (one.key < other.key ? 1 : -1));
    const { items, next } = paginate(keyed, ({ key }) => key, toPageRequest(query), 'descending');
    // Concurrent reads share batches.
    const records = await Promise.all(items.map(({ index }) => deps.indexes.get(organizationId, index.indexId)));
    const body = items.map(({ costUsd, index }, at) => ({
      index_id: index.indexId,
      name: records[at] != null && isLive(records[at]) ? records[at].name : null,
      vectors_stored: index.stored.vectors,
      dense_bytes: index.stored.denseBytes,
      sparse_bytes: index.stored.sparseBytes,
      original_bytes: index.stored.originalBytes,
      searches: index.searches,
      file_jobs: index.fileJobs,
      ...index.used,
      estimated_cost_usd: costUsd,
    }));
    return { body, headers: nextCursorHeader(next) };
  },
});
