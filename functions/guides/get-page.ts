import { endpoint } from '../../shared/http/endpoint.ts';
import { publicFiles } from '../../shared/http/static-file.ts';

export const getGuides = endpoint({
  id: 'get-guides',
  method: 'GET',
  path: '/guides',
  tag: 'Service',
  summary: 'Open the guides and the handbook in a browser',
  auth: { needs: 'none' },
  uses: { files: publicFiles },
  assets: ['guides-page'],
  status: 200,
  produces: 'text/html; charset=utf-8',
  isFile: true,
  takesHead: true,
  handle: async ({ deps }) => ({ body: await deps.files.get('index.html') }),
});
