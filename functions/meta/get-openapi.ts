import { endpoint } from '../../shared/http/endpoint.ts';
import { apiDocument } from '../../shared/platform/docs/files.ts';

export const getOpenapi = endpoint({
  id: 'get-openapi',
  method: 'GET',
  path: '/openapi.json',
  tag: 'Service',
  summary: 'Get the API description',
  description: 'OpenAPI 3.1.',
  auth: { needs: 'none' },
  uses: { docs: apiDocument },
  assets: ['api-description'],
  status: 200,
  produces: 'application/json',
  cacheable: true,
  handle: async ({ deps }) => ({ body: await deps.docs.description() }),
});
