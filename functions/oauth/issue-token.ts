import {
  issueAccessToken as issue,
  issueAccessTokenUses,
  neverStored,
  oauthRefusalForm,
  TokenRequest,
  TokenResponse,
} from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const issueAccessToken = endpoint({
  id: 'issue-access-token',
  method: 'POST',
  path: '/v1/oauth/token',
  tag: 'OAuth',
  summary: 'Get an access token',
  description:
    'The grant `client_credentials` of RFC 6749. The client proves itself by HTTP Basic or by `client_id` and `client_secret` in the form. The token is good for an hour, with the indexes of the client and the scopes asked for. The call counts against the rate limit of the client’s organization.',
  auth: { needs: 'client' },
  uses: issueAccessTokenUses,
  consumes: 'application/x-www-form-urlencoded',
  body: TokenRequest,
  status: 200,
  response: TokenResponse,
  refusalForm: oauthRefusalForm,
  handle: async (call) => {
    const { token, scopes, expiresInSeconds, headers } = await issue(call, call.body);
    return {
      body: {
        access_token: token,
        token_type: 'Bearer' as const,
        expires_in: expiresInSeconds,
        scope: scopes.join(' '),
      },
      headers: { ...headers, ...neverStored },
    };
  },
});
