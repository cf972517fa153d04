import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';

const Health = z
  .object({ status: z.literal('ok').describe('Always `ok`.') })
  .meta({ id: 'Health', description: 'Whether the API answers.' });

export const getHealth = endpoint({
  id: 'get-health',
  method: 'GET',
  path: '/v1/health',
  tag: 'Service',
  summary: 'Tell whether the API answers',
  description: 'Answers as soon as the API does. It checks nothing behind it.',
  auth: { needs: 'none' },
  uses: {},
  takesHead: true,
  status: 200,
  response: Health,
  handle: () => Promise.resolve({ status: 'ok' as const }),
});
