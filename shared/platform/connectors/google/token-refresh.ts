import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import type { JsonObject } from '../../../kernel/json.ts';
import type { ProviderAddresses } from '../provider-addresses.ts';
import { consentScope, type OauthProvider, redeemGrant } from '../oauth.ts';
import { SourceFault } from '../port.ts';
import { textAt } from '../read-text.ts';

/** Audience of the assertion, the same for any address that it is sent to. */
const audience = 'https://oauth2.googleapis.com/token';
const assertionSeconds = 3_600;

/** Returns the signed assertion of a service account. Source: "OAuth 2.0 for server to server applications". */
const assertionOf = async (provider: OauthProvider, credentials: JsonObject, now: Date): Promise<string> => {
  const issued = Math.floor(now.getTime() / 1000);
  const [keyId, subject] = [textAt(credentials, 'private_key_id'), textAt(credentials, 'subject')];
  const jwt = new SignJWT({ scope: consentScope(provider) })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId === '' ? {} : { kid: keyId }) })
    .setIssuer(textAt(credentials, 'client_email'))
    .setAudience(audience)
    .setIssuedAt(issued)
    .setExpirationTime(issued + assertionSeconds);
  if (subject !== '') jwt.setSubject(subject);
  try {
    return await jwt.sign(createPrivateKey(textAt(credentials, 'private_key')));
  } catch {
    throw new SourceFault(
      'refused',
      'The private key of the service account is invalid: connect it again with its key file',
    );
  }
};

const grantOf = async (provider: OauthProvider, credentials: JsonObject, now: Date) =>
  credentials['type'] === 'service_account'
    ? {
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: await assertionOf(provider, credentials, now),
      }
    : { grant_type: 'refresh_token', refresh_token: textAt(credentials, 'refresh_token') };

/**
 * Requests a token for credentials of a caller: the key of a service account, or a consent that was given elsewhere.
 * The credentials stay unchanged; `token` and `expires_at` are added. Throws a `SourceFault`.
 */
export const refreshGoogleToken = async (
  addresses: ProviderAddresses,
  provider: OauthProvider,
  credentials: JsonObject,
  now: Date,
): Promise<JsonObject> => {
  const client =
    credentials['type'] === 'service_account'
      ? null
      : { clientId: textAt(credentials, 'client_id'), clientSecret: textAt(credentials, 'client_secret') };
  const grant = await grantOf(provider, credentials, now);
  try {
    const { token = '', expires_at: expiresAt } = await redeemGrant(addresses, provider, grant, client, now);
    return { ...credentials, token, ...(expiresAt === undefined ? {} : { expires_at: expiresAt }) };
  } catch (error) {
    if (!(error instanceof SourceFault) || error.kind !== 'refused') throw error;
    const hint =
      client === null
        ? 'check the key, and that the service account may impersonate its subject'
        : 'the consent was revoked or has expired';
    throw new SourceFault(
      'refused',
      `Google does not accept the credentials (${hint}): connect it again with valid ones`,
    );
  }
};
