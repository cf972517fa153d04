import { endpoint } from '../../shared/http/endpoint.ts';
import { publicFiles } from '../../shared/http/static-file.ts';

export const getOpenapi = endpoint({
  id: 'get-openapi',
  method: 'GET',
  path: '/openapi.json',
  tag: 'Service',
  summary: 'Get the API description',
  description: 'Returns the API description in OpenAPI 3.1.',
  auth: { needs: 'none' },
  uses: { files: publicFiles },
  assets: ['api-description'],
  status: 200,
  produces: 'application/json',
  isFile: true,
  takesHead: true,
  handle: async ({ deps }) => ({ body: await deps.files.get('openapi.json') }),
});
