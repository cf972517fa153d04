import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';

const Health = z
  .object({ status: z.literal('ok').describe('Always `ok`.') })
  .meta({ id: 'Health', description: 'Status of the API.' });

export const getHealth = endpoint({
  id: 'get-health',
  method: 'GET',
  path: '/v1/health',
  tag: 'Service',
  summary: 'Check whether the API responds',
  description:
    'Returns 200 if the API responds. It does not check dependencies. On one machine it returns 503 while the disk takes no data.',
  auth: { needs: 'none' },
  uses: {},
  takesHead: true,
  status: 200,
  response: Health,
  handle: () => Promise.resolve({ status: 'ok' as const }),
});
