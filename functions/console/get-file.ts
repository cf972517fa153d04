import { endpoint } from '../../shared/http/endpoint.ts';
import { publicFiles } from '../../shared/http/static-file.ts';

export const getConsoleFile = endpoint({
  id: 'get-console-file',
  method: 'GET',
  path: '/console/{file}',
  tag: 'Service',
  summary: 'Get a script or style of the console',
  auth: { needs: 'none' },
  uses: { files: publicFiles },
  assets: ['console-files'],
  status: 200,
  produces: 'text/*',
  isFile: true,
  takesHead: true,
  handle: async ({ deps, path }) => ({ body: await deps.files.get(path.file) }),
});
