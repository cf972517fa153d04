import type { Needs } from '../endpoint.ts';
import type { Schema } from './schema.ts';

/** Authentication schemes. */
export const securitySchemes: Readonly<Record<string, Schema>> = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: [
      'One of four values. Each is refused at once after its revocation or expiry.',
      '- **API key** `svc_live_…`: has the permissions `read` and `write`, for all or some indexes. Created by `POST /v1/api-keys`, which returns it only once.',
      '- **OAuth access token** `svc_at_…`: has the scopes and indexes of its client, or those that a person granted to an application, for one hour. Issued by `POST /v1/oauth/token`.',
      '- **Session token** `svc_sess_…`: acts as its user, a member or owner, for 12 hours. Issued by `POST /v1/auth/bootstrap`.',
      '- **Token of an end user** `svc_ut_…`: searches some indexes of an API key within a filter, for at most 24 hours, and ends with the key. Minted by the holder of the key, without a request.',
    ].join('\n'),
  },
  oauth2: {
    type: 'oauth2',
    description:
      'An OAuth client exchanges its id and secret for an access token, which is the bearer value. An application that a person connects exchanges a code with PKCE.',
    flows: {
      authorizationCode: {
        authorizationUrl: '/v1/oauth/authorize',
        tokenUrl: '/v1/oauth/token',
        refreshUrl: '/v1/oauth/token',
        scopes: { read: 'Every GET, and search.', write: 'Every change of data.' },
      },
      clientCredentials: {
        tokenUrl: '/v1/oauth/token',
        scopes: { read: 'Every GET, and search.', write: 'Every change of data.' },
      },
    },
  },
  clientSecret: {
    type: 'http',
    scheme: 'basic',
    description: 'Id and secret of an OAuth client, form-encoded by RFC 6749, 2.3.1. Both may be in the body instead.',
  },
  idToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'An ID token (OIDC, RS256 or ES256) of the configured identity provider, with a verified e-mail address.',
  },
};

/** Description of the required access of an endpoint. */
export const needsText: Readonly<Record<Needs, string>> = {
  none: 'none.',
  identity: 'an ID token of the configured identity provider.',
  client: 'id and secret of an OAuth client.',
  read: 'any credential with the `read` permission.',
  write: 'any credential with the `write` permission.',
  manage:
    'the session of an owner, or an API key or access token with the `write` permission that is not restricted to indexes.',
  session: 'any session.',
  owner: 'the session of an owner.',
};

/** Additional requirement of calls that are not limited to the indexes of a restricted credential. */
export const unrestrictedText = ' It must not be restricted to indexes.';

/** Alternative authentication schemes by the required access of an endpoint. */
export const securityOf: Readonly<Record<Needs, readonly Schema[]>> = {
  none: [],
  identity: [{ idToken: [] }],
  client: [{ clientSecret: [] }, {}],
  read: [{ bearer: [] }, { oauth2: ['read'] }],
  write: [{ bearer: [] }, { oauth2: ['write'] }],
  manage: [{ bearer: [] }, { oauth2: ['write'] }],
  session: [{ bearer: [] }],
  owner: [{ bearer: [] }],
};
