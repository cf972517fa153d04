import type { ErrorCode } from '../kernel/errors.ts';
import type { Permission } from './principal.ts';

const challengeHeader = (challenge: string) => ({ 'www-authenticate': challenge });

/** Header of the error for an invalid bearer value. Source: RFC 6750, 3.1. */
export const invalidToken = challengeHeader('Bearer error="invalid_token"');

/** Returns the header of the error for credentials without a required permission. Source: RFC 6750, 3.1. */
export const insufficientScope = (scope: Permission) =>
  challengeHeader(`Bearer error="insufficient_scope", scope="${scope}"`);

/** Default `www-authenticate` header of each error code. Source: RFC 6750, 3. */
export const challenges: Readonly<Partial<Record<ErrorCode, Readonly<Record<string, string>>>>> = {
  unauthenticated: challengeHeader('Bearer'),
  token_expired: invalidToken,
  key_revoked: invalidToken,
  write_permission_required: insufficientScope('write'),
};
