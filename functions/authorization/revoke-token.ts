import * as z from 'zod';
import {
  grantsWrite,
  isToken,
  oauthError,
  oauthErrorFormat,
  RevocationRequest,
} from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const revokeToken = endpoint({
  id: 'revoke-token',
  method: 'POST',
  path: '/v1/oauth/revoke',
  tag: 'OAuth',
  summary: 'Revoke the access of an application',
  description:
    'Ends the grant of an access token or refresh token of a connected application, by RFC 7009, with all tokens of that grant. An unknown or expired token is a success too. Tokens of OAuth clients with a secret end with their client.',
  auth: { needs: 'none' },
  audit: { action: 'grant.revoked', isAnnounced: true },
  uses: { grants: grantsWrite },
  consumes: 'application/x-www-form-urlencoded',
  ignoresUnknownFields: true,
  body: RevocationRequest,
  status: 200,
  response: z.object({}).meta({ id: 'Revoked', description: 'The token is not accepted any more.', examples: [{}] }),
  // The token itself is the credential, so no client is refused by a 401.
  errorFormat: { ...oauthErrorFormat, statuses: [400] },
  handle: async ({ deps, body, clock, announce }) => {
    const isKnown = isToken(body.token, 'access_token', 'refresh_token');
    const grant = isKnown ? await deps.grants.grantOf(body.token) : null;
    if (grant !== null) {
      if (body.client_id !== undefined && body.client_id !== grant.clientId)
        throw oauthError('unauthorized_client', 'The token is of another application');
      const { id, organizationId, creators, clientName: name } = grant;
      const actor = { kind: 'grant', id, email: null, creators } as const;
      await announce([{ organizationId, actor, resource: { id, name } }]);
      await deps.grants.revoke(grant, clock.now().toISOString());
    }
    return {};
  },
});
