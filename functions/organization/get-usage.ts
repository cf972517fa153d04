import { endpoint } from '../../shared/http/endpoint.ts';
import type { Principal } from '../../shared/http/principal.ts';
import { type IndexReader, indexesRead, isLive } from '../../shared/indexes/index.ts';
import {
  estimateCostUsd,
  monthOf,
  monthUsage,
  OrganizationUsage,
  usageMonth,
  UsageQuery,
  usageRead,
} from '../../shared/usage/index.ts';

/** Counts the indexes of the organization that a caller may use. */
const countIndexes = async (indexes: IndexReader, { organizationId, indexIds }: Principal): Promise<number> => {
  if (indexIds === null) return indexes.count(organizationId);
  const found = await Promise.all(indexIds.map((id) => indexes.get(organizationId, id)));
  return found.filter(isLive).length;
};

export const getOrganizationUsage = endpoint({
  id: 'get-organization-usage',
  method: 'GET',
  path: '/v1/organization/usage',
  tag: 'Organizations',
  summary: 'Get the usage of a month',
  description:
    'Returns the usage of a calendar month in UTC, by default the current one. Each request and ended job counts once, even if it was retried. Usage of deleted indexes is included. The figures of a month are final an hour after its end. A month before the organization existed shows zeros. A credential that is restricted to indexes gets the usage of these indexes.',
  auth: { needs: 'read' },
  uses: { usage: usageRead, indexes: indexesRead },
  query: UsageQuery,
  status: 200,
  response: OrganizationUsage,
  handle: async ({ caller, deps, query, clock }) => {
    const now = clock.now();
    const month = usageMonth(query, now);
    const [indexes, usage] = await Promise.all([
      month === monthOf(now.toISOString()) ? countIndexes(deps.indexes, caller) : null,
      monthUsage(deps.usage, caller.organizationId, now, month, caller.indexIds),
    ]);
    return {
      period_start: usage.periodStart.toISOString(),
      period_end: usage.periodEnd.toISOString(),
      indexes: indexes ?? usage.holders,
      vectors_stored: usage.stored.vectors,
      dense_bytes: usage.stored.denseBytes,
      sparse_bytes: usage.stored.sparseBytes,
      original_bytes: usage.stored.originalBytes,
      searches: usage.searches,
      file_jobs: usage.fileJobs,
      ...usage.used,
      estimated_cost_usd: estimateCostUsd(usage),
    };
  },
});
