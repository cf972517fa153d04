import {
  exchangeGrant,
  exchangeGrantUses,
  issueAccessToken as issue,
  issueAccessTokenUses,
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
    'Issues an access token by the grant `client_credentials` of RFC 6749. An application that a person connected gets one by `authorization_code` with PKCE, and the next ones by `refresh_token`, without a secret. A code that is used twice ends the grant. A refresh token that is used again within a minute returns the same tokens. Later it ends the grant. The client authenticates by HTTP Basic or by `client_id` and `client_secret` in the form. The token is valid for one hour, for the indexes of the client and the requested scopes. The call counts against the rate limit of the client’s organization.',
  auth: { needs: 'client' },
  uses: { ...issueAccessTokenUses, ...exchangeGrantUses },
  returnsSecret: true,
  consumes: 'application/x-www-form-urlencoded',
  ignoresUnknownFields: true,
  body: TokenRequest,
  status: 200,
  response: TokenResponse,
  errorFormat: oauthErrorFormat,
  handle: async (call) => {
    const isGrant = ['authorization_code', 'refresh_token'].includes(call.body.grant_type);
    const { token, refreshToken, scopes, expiresInSeconds, headers } = await (isGrant ? exchangeGrant : issue)(
      call,
      call.body,
    );
    return {
      body: {
        access_token: token,
        token_type: 'Bearer' as const,
        expires_in: expiresInSeconds,
        scope: scopes.join(' '),
        ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
      },
      headers,
    };
  },
});
