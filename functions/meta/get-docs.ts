import { endpoint } from '../../shared/http/endpoint.ts';
import { apiDocument } from '../../shared/platform/docs/files.ts';

export const getDocs = endpoint({
  id: 'get-docs',
  method: 'GET',
  path: '/docs',
  tag: 'Service',
  summary: 'Read the API description in a browser',
  description: 'One page that needs nothing else: scripts, styles and the description are in it.',
  auth: { needs: 'none' },
  uses: { docs: apiDocument },
  assets: ['api-description', 'api-page'],
  memoryMb: 512,
  status: 200,
  produces: 'text/html; charset=utf-8',
  cacheable: true,
  handle: async ({ deps }) => ({ body: await deps.docs.page() }),
});
