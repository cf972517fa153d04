import { endpoint } from '../../shared/http/endpoint.ts';
import { publicFiles } from '../../shared/http/static-file.ts';

export const getDocs = endpoint({
  id: 'get-docs',
  method: 'GET',
  path: '/docs',
  tag: 'Service',
  summary: 'Read the API description in a browser',
  description: 'Returns a page that documents the operations and sends requests. It does not store credentials.',
  auth: { needs: 'none' },
  uses: { files: publicFiles },
  assets: ['api-page'],
  status: 200,
  produces: 'text/html; charset=utf-8',
  isFile: true,
  takesHead: true,
  handle: async ({ deps }) => ({ body: await deps.files.get('index.html') }),
});
