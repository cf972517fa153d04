import {
  AuthorizationQuery,
  AuthorizationRefusal,
  AuthorizationReview,
  clientMetadata,
  readApplication,
  readAuthorizationRequest,
  redirectWith,
} from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

const nothing = { resource: null, indexId: null, scopes: [] } as const;

export const getAuthorizationRequest = endpoint({
  id: 'get-authorization-request',
  method: 'GET',
  path: '/v1/oauth/authorize/request',
  tag: 'OAuth',
  summary: 'Get the authorization request of an application',
  description:
    'Returns which application asks for which access, for the page of `GET /v1/oauth/authorize`. Reads the metadata document of the application, at most every five minutes. If the application or its `redirect_uri` is not known, the response is a 400. If anything else is not valid, `problem` says what, and `refusal_url` returns it to the application.',
  auth: { needs: 'session' },
  errorCodes: ['bad_request'],
  uses: { metadata: clientMetadata },
  query: AuthorizationQuery.strict(),
  status: 200,
  response: AuthorizationReview,
  handle: async ({ deps, query, origin }) => {
    const client = await readApplication(deps.metadata, query);
    const read = () => {
      try {
        const refusal = { error: 'access_denied', error_description: 'The person refused the access' };
        return { ...readAuthorizationRequest(query, origin), problem: null, refusal };
      } catch (error) {
        if (!(error instanceof AuthorizationRefusal)) throw error;
        const refusal = { error: error.error, error_description: error.message };
        return { ...nothing, problem: error.message, refusal };
      }
    };
    const { resource, indexId, scopes, problem, refusal } = read();
    return {
      client_name: client.name,
      client_host: URL.canParse(client.id) ? new URL(client.id).host : null,
      redirect_host: new URL(query.redirect_uri).host,
      resource,
      index_id: indexId,
      scopes: [...scopes],
      problem,
      refusal_url: redirectWith(query, origin, refusal),
    };
  },
});
