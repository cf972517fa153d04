import { consentRefusalPage } from '../../shared/connectors/index.ts';
import { consolePage, consolePageUses } from '../../shared/console/console-page.ts';
import { AuthorizationQuery } from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const getAuthorizationPage = endpoint({
  id: 'get-authorization-page',
  method: 'GET',
  path: '/v1/oauth/authorize',
  tag: 'OAuth',
  summary: 'Ask a person for the access of an application',
  description:
    'Page on which a person signs in at the configured identity provider and chooses what an application may use: organization, permissions and indexes. The application has no secret: `client_id` is the URL of its metadata document, or `strata-cli`, and PKCE with S256 is required. Nothing is read from the application before the person has signed in. The page shows errors, and returns to the application only if the person confirms it.',
  auth: { needs: 'none' },
  errorCodes: ['unavailable'],
  uses: consolePageUses,
  assets: ['console-page'],
  query: AuthorizationQuery,
  status: 200,
  produces: 'text/html; charset=utf-8',
  errorPage: consentRefusalPage,
  handle: async ({ deps, query }) => {
    const [template, settings, uploadOrigins] = await Promise.all([
      deps.files.get('index.html'),
      deps.site.settings(),
      deps.site.uploadOrigins(),
    ]);
    const shown = { ...settings, authorization: query };
    const { body, headers } = consolePage(template.bytes.toString(), shown, uploadOrigins);
    return { body, headers: { ...headers, 'cache-control': 'no-store' } };
  },
});
