import type { ErrorCode } from '../kernel/errors.ts';

const challengeHeader = (challenge: string) => ({ 'www-authenticate': challenge });

/** Of a refusal of a bearer value that was sent, whatever is wrong with it. Source: RFC 6750, 3.1. */
export const invalidToken = challengeHeader('Bearer error="invalid_token"');

/** Of a refusal of credentials that lack a permission. Source: RFC 6750, 3.1. */
export const insufficientScope = challengeHeader('Bearer error="insufficient_scope"');

/** What each refusal says of the credentials that it asks for, unless it says so itself. Source: RFC 6750, 3. */
export const challenges: Readonly<Partial<Record<ErrorCode, Readonly<Record<string, string>>>>> = {
  unauthenticated: challengeHeader('Bearer'),
  token_expired: invalidToken,
  key_revoked: invalidToken,
  write_permission_required: insufficientScope,
};
