import { endpoint } from '../../shared/http/endpoint.ts';
import { publicFiles } from '../../shared/http/static-file.ts';

export const getGuidesFile = endpoint({
  id: 'get-guides-file',
  method: 'GET',
  path: '/guides/{file}',
  tag: 'Service',
  summary: 'Get a page, script, style or the search index of the guides',
  auth: { needs: 'none' },
  uses: { files: publicFiles },
  assets: ['guides-files'],
  status: 200,
  produces: 'text/*',
  isFile: true,
  takesHead: true,
  handle: async ({ deps, path }) => ({ body: await deps.files.get(path.file) }),
});
