import * as z from 'zod';
import { dependencyCheck, DependencyHealth } from '../../shared/health/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

/** Number of indexes to choose those of each region from. */
const indexPage = 100;

export const getDeepHealth = endpoint({
  id: 'get-deep-health',
  method: 'GET',
  path: '/v1/health/deep',
  tag: 'Service',
  summary: 'Check all dependencies of the service',
  description:
    'Sends one small request to each table, bucket and queue. In each region it embeds a word by each model and opens up to 20 indexes of the organization, and names those whose data is missing or damaged. Each check takes at most 10 seconds. The status is 200 even if checks fail.',
  auth: { needs: 'owner' },
  uses: { indexes: indexesRead, check: dependencyCheck },
  timeoutSeconds: 20,
  memoryMb: 512,
  status: 200,
  response: z.array(DependencyHealth),
  handle: async ({ caller, deps }) => {
    const { indexes } = await deps.indexes.list(caller.organizationId, { limit: indexPage, after: null });
    return [...(await deps.check(caller.organizationId, indexes))];
  },
});
