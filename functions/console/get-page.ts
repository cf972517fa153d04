import { consolePage, consolePageUses } from '../../shared/console/console-page.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const getConsolePage = endpoint({
  id: 'get-console-page',
  method: 'GET',
  path: '/console',
  tag: 'Service',
  summary: 'Open the console in a browser',
  description: 'Returns the page of the console, which signs in at the configured identity provider.',
  auth: { needs: 'none' },
  uses: consolePageUses,
  assets: ['console-page'],
  status: 200,
  produces: 'text/html; charset=utf-8',
  takesHead: true,
  handle: async ({ deps }) => {
    const [template, settings, uploadOrigins] = await Promise.all([
      deps.files.get('index.html'),
      deps.site.settings(),
      deps.site.uploadOrigins(),
    ]);
    return consolePage(template.bytes.toString(), settings, uploadOrigins);
  },
});
