import * as z from 'zod';
import { dependencyCheck, DependencyHealth } from '../../shared/health/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

/** Indexes among which one is looked for in each region. */
const indexPage = 100;

export const getDeepHealth = endpoint({
  id: 'get-deep-health',
  method: 'GET',
  path: '/v1/health/deep',
  tag: 'Service',
  summary: 'Check every dependency of the service',
  description:
    'Sends one small request to each table, bucket and queue, embeds a word in each region, and opens the table of an index of the organization there. Each check takes 10 seconds at most. The response is a 200 whatever the outcomes.',
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
