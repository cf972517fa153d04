import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';
import { estimateCostUsd, monthUsage, OrganizationUsage, usageRead } from '../../shared/usage/index.ts';

export const getOrganizationUsage = endpoint({
  id: 'get-organization-usage',
  method: 'GET',
  path: '/v1/organization/usage',
  tag: 'Organizations',
  summary: 'Get the usage of the month',
  description:
    'The calendar month that runs, in UTC. Each figure is what the requests and ended jobs of the month add up to, each counted once, whatever was repeated on the way; deleted indexes count on.',
  auth: { needs: 'read' },
  uses: { usage: usageRead, indexes: indexesRead },
  status: 200,
  response: OrganizationUsage,
  handle: async ({ caller, deps, clock }) => {
    const now = clock.now();
    const [indexes, usage] = await Promise.all([
      deps.indexes.count(caller.organizationId),
      monthUsage(deps.usage, caller.organizationId, now),
    ]);
    return {
      period_start: usage.periodStart.toISOString(),
      period_end: usage.periodEnd.toISOString(),
      indexes,
      vectors_stored: usage.stored.vectors,
      dense_bytes: usage.stored.denseBytes,
      sparse_bytes: usage.stored.sparseBytes,
      searches: usage.searches,
      file_jobs: usage.fileJobs,
      ...usage.used,
      estimated_cost_usd: estimateCostUsd(usage),
    };
  },
});
