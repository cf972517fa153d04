import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import * as z from 'zod';
import { invalidToken } from '../http/challenge.ts';
import { EmailAddress } from '../http/email-address.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { AppError, unavailable } from '../kernel/errors.ts';
import { lazy } from '../kernel/memoize.ts';
import type { Identity } from '../organizations/index.ts';
import { kindNameOf } from './token.ts';

/** Verifies ID tokens of the configured OIDC provider. Throws 401 for anything but a valid token of a verified e-mail. */
export interface IdTokenVerifier {
  verify(token: string): Promise<Identity>;
}

/** How far the clock of a provider may be from this one; many give tokens that begin at the very second. */
const clockToleranceSeconds = 60;

const longestName = 255;

/** A name as long as it may be, without half a character at its end. */
const cutName = (name: string): string => name.slice(0, longestName).replace(/[\uD800-\uDBFF]$/, '');

const Claims = z.object({
  // Source: OpenID Connect Core, 2, "ID Token"
  sub: z.string().min(1).max(255),
  email: EmailAddress,
  email_verified: z.union([z.literal(true), z.literal('true')]),
  // It is shown and decides nothing, so nobody is refused for it.
  name: z.string().catch('').transform(cutName),
  // Cognito's alone, which tells its ID tokens from its access tokens.
  token_use: z.literal('id').optional(),
});

/** Access tokens of many providers say so in their header, and open no session. https://www.rfc-editor.org/rfc/rfc9068 */
const isAccessToken = (type: string | undefined): boolean => /^(?:application\/)?at\+jwt$/i.test(type ?? '');

const unreachable = (cause: unknown): AppError => unavailable(cause, 'The identity provider cannot be reached');

/** What says that the provider has no key for a token; anything else says that its keys could not be had. */
const keyless = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];

const onlyJudging =
  (getKey: JWTVerifyGetKey): JWTVerifyGetKey =>
  async (header, token) => {
    try {
      return await getKey(header, token);
    } catch (error) {
      throw keyless.some((kind) => error instanceof kind) ? error : unreachable(error);
    }
  };

/** Where the configuration of an issuer says that its keys are. */
const discoverKeys = async (issuer: string): Promise<string> => {
  // The name of some issuers ends in a slash, their address does not. Source: OpenID Connect Discovery, 4.1
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const answer = await fetch(address, { signal: AbortSignal.timeout(5000) });
  return z.object({ jwks_uri: z.url() }).parse(await answer.json()).jwks_uri;
};

const openVerifier = (runtime: Runtime): IdTokenVerifier => {
  const { identityIssuer: issuer, identityKeys, identityAudience: audience } = runtime.config;
  const providerKeys = lazy(async () => {
    try {
      return onlyJudging(createRemoteJWKSet(new URL(identityKeys ?? (await discoverKeys(issuer)))));
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
          audience,
          algorithms: ['RS256', 'ES256'],
          requiredClaims: ['exp', 'sub'],
          currentDate: runtime.clock.now(),
          clockTolerance: clockToleranceSeconds,
        });
        if (isAccessToken(protectedHeader.typ)) throw new Error('an access token is no ID token');
        const { sub, email, name } = Claims.parse(payload);
        return { issuer, subject: sub, email, name };
      } catch (cause) {
        if (cause instanceof AppError) throw cause;
        const kind = kindNameOf(token);
        const message =
          kind === null ? 'Invalid ID token' : `An ID token of the identity provider is needed, not this ${kind}`;
        throw new AppError('unauthenticated', message, { cause, headers: invalidToken });
      }
    },
  };
};

export const identityVerify = capability<IdTokenVerifier>(['identity.verify'], openVerifier);
