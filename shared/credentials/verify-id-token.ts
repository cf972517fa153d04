import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import * as z from 'zod';
import { invalidToken } from '../http/www-authenticate.ts';
import { EmailAddress } from '../http/email-address.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { AppError, unavailable } from '../kernel/errors.ts';
import { lazy } from '../kernel/memoize.ts';
import type { Identity } from '../organizations/index.ts';
import { kindNameOf } from './token.ts';

/** Verifies ID tokens of the configured OIDC provider. Throws 401 unless the token is valid and its e-mail is verified. */
export interface IdTokenVerifier {
  verify(token: string): Promise<Identity>;
}

/** Tolerated clock difference to the provider. Tokens of many providers become valid in the second of their issue. */
const clockToleranceSeconds = 60;

const maxNameLength = 255;

/** Truncates a name, without half a surrogate pair at its end. */
const truncateName = (name: string): string => name.slice(0, maxNameLength).replace(/[\uD800-\uDBFF]$/, '');

const Claims = z.object({
  // Source: OpenID Connect Core, 2, "ID Token"
  sub: z.string().min(1).max(255),
  email: EmailAddress,
  email_verified: z.union([z.literal(true), z.literal('true')]),
  // An invalid name is ignored, because it is for display only.
  name: z.string().catch('').transform(truncateName),
  // A claim of Cognito that distinguishes ID tokens from access tokens.
  token_use: z.literal('id').optional(),
});

/** Whether the `typ` header marks an access token, which opens no session. Source: RFC 9068. */
const isAccessToken = (type: string | undefined): boolean => /^(?:application\/)?at\+jwt$/i.test(type ?? '');

const unreachable = (cause: unknown): AppError => unavailable(cause, 'The identity provider cannot be reached');

/** Errors of a token whose key the provider does not have. Any other error means that its keys could not be fetched. */
const unknownKeyErrors = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];

/** Throws 503 instead of 401 if the keys of the provider could not be fetched. */
const withUnavailable =
  (getKey: JWTVerifyGetKey): JWTVerifyGetKey =>
  async (header, token) => {
    try {
      return await getKey(header, token);
    } catch (error) {
      throw unknownKeyErrors.some((kind) => error instanceof kind) ? error : unreachable(error);
    }
  };

/** Returns the URL of the keys in the OpenID configuration of an issuer. */
const discoverKeys = async (issuer: string): Promise<string> => {
  // A final slash of the issuer is not part of the URL. Source: OpenID Connect Discovery, 4.1
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(address, { signal: AbortSignal.timeout(5000) });
  return z.object({ jwks_uri: z.url() }).parse(await response.json()).jwks_uri;
};

const openVerifier = (runtime: Runtime): IdTokenVerifier => {
  const { identityIssuer: issuer, identityKeys, identityAudience: audience } = runtime.config;
  const providerKeys = lazy(async () => {
    try {
      return withUnavailable(createRemoteJWKSet(new URL(identityKeys ?? (await discoverKeys(issuer)))));
    } catch (cause) {
      throw unreachable(cause);
    }
  });
  return {
    verify: async (token) => {
      const getKey = await providerKeys();
      try {
        const { payload, protectedHeader } = await jwtVerify(token, getKey, {
          issuer,
          audience: [...audience],
          algorithms: ['RS256', 'ES256'],
          requiredClaims: ['exp', 'sub'],
          currentDate: runtime.clock.now(),
          clockTolerance: clockToleranceSeconds,
        });
        if (isAccessToken(protectedHeader.typ)) throw new Error('the token is an access token');
        const { sub, email, name } = Claims.parse(payload);
        return { issuer, subject: sub, email, name };
      } catch (cause) {
        if (cause instanceof AppError) throw cause;
        const kind = kindNameOf(token);
        const message =
          kind === null ? 'Invalid ID token' : `This needs an ID token of the identity provider, not the ${kind}`;
        throw new AppError('unauthenticated', message, { cause, headers: invalidToken });
      }
    },
  };
};

export const identityVerify = capability<IdTokenVerifier>(['identity.verify'], openVerifier);
