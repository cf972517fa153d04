import { endpoint } from '../../shared/http/endpoint.ts';
import { publicFiles } from '../../shared/http/static-file.ts';

export const getDocs = endpoint({
  id: 'get-docs',
  method: 'GET',
  path: '/docs',
  tag: 'Service',
  summary: 'Read the API description in a browser',
  description: 'A page to read about operations and to try them. Credentials that are typed into it are kept nowhere.',
  auth: { needs: 'none' },
  uses: { files: publicFiles },
  assets: ['api-page'],
  status: 200,
  produces: 'text/html; charset=utf-8',
  isFile: true,
  takesHead: true,
  handle: async ({ deps }) => ({ body: await deps.files.get('index.html') }),
});
