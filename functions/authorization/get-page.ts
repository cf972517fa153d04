import { consentRefusalPage } from '../../shared/connectors/index.ts';
import { consolePage, consolePageUses } from '../../shared/console/console-page.ts';
import {
  AuthorizationQuery,
  AuthorizationRefusal,
  clientMetadata,
  readAuthorizationRequest,
  redirectWith,
} from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const getAuthorizationPage = endpoint({
  id: 'get-authorization-page',
  method: 'GET',
  path: '/v1/oauth/authorize',
  tag: 'OAuth',
  summary: 'Ask a person for the access of an application',
  description:
    'Page on which a person signs in at the configured identity provider and chooses what an application may use: organization, permissions and indexes. The application has no secret: `client_id` is the URL of its metadata document, or `strata-cli`, and PKCE with S256 is required. If the application or its `redirect_uri` is not known, the response is a 400. Any other error is a redirect to the application.',
  auth: { needs: 'none' },
  errorCodes: ['bad_request', 'unavailable'],
  uses: { ...consolePageUses, metadata: clientMetadata },
  assets: ['console-page'],
  query: AuthorizationQuery,
  status: 200,
  produces: 'text/html; charset=utf-8',
  errorPage: consentRefusalPage,
  handle: async ({ deps, query, origin }) => {
    try {
      const { client, redirectUri, resource, indexId, scopes } = await readAuthorizationRequest(
        deps.metadata,
        query,
        origin,
      );
      const [template, settings, uploadOrigins] = await Promise.all([
        deps.files.get('index.html'),
        deps.site.settings(),
        deps.site.uploadOrigins(),
      ]);
      const description = 'The person refused the access';
      const authorization = {
        query,
        clientName: client.name,
        clientHost: URL.canParse(client.id) ? new URL(client.id).host : null,
        redirectHost: new URL(redirectUri).host,
        resource,
        indexId,
        canWrite: scopes.includes('write'),
        refusalUrl: redirectWith(query, origin, { error: 'access_denied', error_description: description }),
      };
      const { body, headers } = consolePage(template.bytes.toString(), { ...settings, authorization }, uploadOrigins);
      return { body, headers: { ...headers, 'cache-control': 'no-store' } };
    } catch (error) {
      if (!(error instanceof AuthorizationRefusal)) throw error;
      const result = { error: error.error, error_description: error.message };
      return { status: 302, body: '', headers: { location: redirectWith(query, origin, result) } };
    }
  },
});
