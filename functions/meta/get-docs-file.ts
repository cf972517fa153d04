import { endpoint } from '../../shared/http/endpoint.ts';
import { publicFiles } from '../../shared/http/static-file.ts';

export const getDocsFile = endpoint({
  id: 'get-docs-file',
  method: 'GET',
  path: '/docs/{file}',
  tag: 'Service',
  summary: 'Get a script or style of the documentation page',
  auth: { needs: 'none' },
  uses: { files: publicFiles },
  assets: ['api-page-files'],
  status: 200,
  produces: 'text/*',
  isFile: true,
  takesHead: true,
  handle: async ({ deps, path }) => ({ body: await deps.files.get(path.file) }),
});
