import type { Needs } from '../endpoint.ts';
import type { Schema } from './schema.ts';

/** How callers say who they are. */
export const securitySchemes: Readonly<Record<string, Schema>> = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: [
      'One of three, all opaque, all refused at once after revocation or expiry:',
      '- **API key** `svc_live_…`: permissions `read` and `write`, for all indexes or for some. Made by `POST /v1/api-keys`, shown once.',
      '- **OAuth access token** `svc_at_…`: the scopes and indexes of its client, for one hour. Made by `POST /v1/oauth/token`.',
      '- **Session token** `svc_sess_…`: acts as its user, member or owner, for 12 hours. Made by `POST /v1/auth/bootstrap`.',
    ].join('\n'),
  },
  oauth2: {
    type: 'oauth2',
    description: 'An OAuth client gets an access token, which then is the bearer value.',
    flows: {
      clientCredentials: {
        tokenUrl: '/v1/oauth/token',
        scopes: { read: 'Every GET, and search.', write: 'Every change of data.' },
      },
    },
  },
  clientSecret: {
    type: 'http',
    scheme: 'basic',
    description: 'Id and secret of an OAuth client, form-encoded as RFC 6749, 2.3.1 has it; or both in the body.',
  },
  idToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An ID token (OIDC, RS256 or ES256) of the configured identity provider, with a verified e-mail.',
  },
};

/** What each need asks of a caller, for people. */
export const needsText: Readonly<Record<Needs, string>> = {
  none: 'anybody; no credential.',
  identity: 'whoever has an ID token of the configured identity provider.',
  client: 'an OAuth client, by its id and secret.',
  read: 'any credential with the `read` permission.',
  write: 'any credential with the `write` permission.',
  manage: 'an owner’s session, or a key or token with `write` that is not restricted to indexes.',
  session: 'any session.',
  owner: 'an owner’s session.',
};

/** What besides is asked where a call reaches beyond the indexes that a credential may be restricted to. */
export const unrestrictedText = ' It must not be restricted to indexes.';

/** The schemes that satisfy each need; one of a list is enough. */
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
