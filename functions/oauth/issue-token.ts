import {
  issueAccessToken as issue,
  issueAccessTokenUses,
  noStoreHeaders,
  oauthErrorFormat,
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
    'Issues an access token by the grant `client_credentials` of RFC 6749. The client authenticates by HTTP Basic or by `client_id` and `client_secret` in the form. The token is valid for one hour, for the indexes of the client and the requested scopes. The call counts against the rate limit of the client’s organization.',
  auth: { needs: 'client' },
  uses: issueAccessTokenUses,
  consumes: 'application/x-www-form-urlencoded',
  body: TokenRequest,
  status: 200,
  response: TokenResponse,
  errorFormat: oauthErrorFormat,
  handle: async (call) => {
    const { token, scopes, expiresInSeconds, headers } = await issue(call, call.body);
    return {
      body: {
        access_token: token,
        token_type: 'Bearer' as const,
        expires_in: expiresInSeconds,
        scope: scopes.join(' '),
      },
      headers: { ...headers, ...noStoreHeaders },
    };
  },
});
