import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, importJWK, SignJWT, type JWK } from 'jose';
import type { Clock } from '../../../../shared/kernel/clock.ts';
import type { SettingsFile } from '../data/settings.ts';

const algorithm = 'ES256';
const keyId = 'local';
const lifetimeSeconds = 3600;

/** A user who signs in. */
export interface Person {
  readonly email: string;
  readonly name: string;
}

/** Owner of the first organization of a data directory. */
export const localOwner: Person = { email: 'owner@example.com', name: 'Local Owner' };

/** An OpenID provider that issues an ID token for any user without a check. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly audience: string;
  /** @param nonce Value of the claim of the same name; none if empty. */
  readonly idToken: (person: Person, nonce?: string) => Promise<string>;
  readonly configuration: object;
  readonly keys: { readonly keys: readonly JWK[] };
}

/** Audience of local ID tokens. */
export const localAudience = 'strata-local';

/** Path of the provider below the base address. */
export const identityPath = '/_local/identity';

/** Path of its keys below the base address. */
export const identityKeysPath = `${identityPath}/.well-known/jwks.json`;

/** Returns the private key. It is stored with the data, so that tokens stay valid after a restart. */
const keepKey = async (settings: SettingsFile): Promise<JWK> => {
  const known = settings.read().identityKey;
  if (known !== null) {
    return known;
  }
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const made = await exportJWK(privateKey);
  settings.change({ identityKey: { ...made } });
  return made;
};

/** Returns the issuer of a data directory: the address of its provider when the first organization was created. */
export const issuerOf = (settings: SettingsFile, baseUrl: string): string =>
  settings.read().identityIssuer ?? `${baseUrl}${identityPath}`;

/** Derives the subject of an email address, in the format of a user pool. It is the same for each sign-in. */
const subjectOf = (email: string): string => {
  const digest = createHash('sha256').update(email).digest('hex');
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `5${digest.slice(13, 16)}`,
    `a${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-');
};

/** Opens the provider that is served below `baseUrl`; claims are those of a Cognito ID token. */
export const openIdentityProvider = async (options: {
  readonly baseUrl: string;
  readonly settings: SettingsFile;
  readonly clock: Clock;
}): Promise<IdentityProvider> => {
  const issuer = issuerOf(options.settings, options.baseUrl);
  const privateKey = await keepKey(options.settings);
  const key = await importJWK(privateKey, algorithm);
  const { d: _, ...publicKey } = privateKey;
  return {
    issuer,
    audience: localAudience,
    idToken: async ({ email, name }, nonce = '') => {
      const now = Math.floor(options.clock.now().getTime() / 1000);
      return await new SignJWT({
        email,
        email_verified: true,
        name,
        token_use: 'id',
        auth_time: now,
        ...(nonce === '' ? {} : { nonce }),
      })
        .setProtectedHeader({ alg: algorithm, kid: keyId })
        .setIssuer(issuer)
        .setAudience(localAudience)
        .setSubject(subjectOf(email))
        .setIssuedAt(now)
        .setExpirationTime(now + lifetimeSeconds)
        .sign(key);
    },
    configuration: {
      issuer,
      jwks_uri: `${options.baseUrl}${identityKeysPath}`,
      authorization_endpoint: `${options.baseUrl}${identityPath}/authorize`,
      token_endpoint: `${options.baseUrl}${identityPath}/token`,
      end_session_endpoint: `${options.baseUrl}${identityPath}/logout`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [algorithm],
    },
    keys: { keys: [{ ...publicKey, kid: keyId, alg: algorithm, use: 'sig' }] },
  };
};
