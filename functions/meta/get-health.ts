import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';

const Health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });

export const getHealth = endpoint({
  id: 'get-health',
  method: 'GET',
  path: '/v1/health',
  tag: 'Service',
  summary: 'Tell whether the API answers',
  auth: { needs: 'none' },
  uses: {},
  takesHead: true,
  status: 200,
  response: Health,
  handle: () => Promise.resolve({ status: 'ok' as const }),
});
