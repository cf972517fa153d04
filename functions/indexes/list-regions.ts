import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { regionsRead } from '../../shared/indexes/index.ts';

export const listRegions = endpoint({
  id: 'list-regions',
  method: 'GET',
  path: '/v1/regions',
  tag: 'Indexes',
  summary: 'List regions',
  description: 'The cloud regions in which an index may be created, the default first.',
  auth: { needs: 'read', servesBound: true },
  uses: { regions: regionsRead },
  status: 200,
  response: z.array(z.string()).meta({ examples: [['us-east-1', 'eu-central-1']] }),
  handle: ({ deps }) => Promise.resolve([...deps.regions.all]),
});
