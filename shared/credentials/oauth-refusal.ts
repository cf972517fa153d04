import * as z from 'zod';
import type { RefusalForm } from '../http/answer.ts';
import { AppError, statusByCode, ValidationFailure } from '../kernel/errors.ts';

const codes = [
  'invalid_request',
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
] as const;

type OAuthErrorCode = (typeof codes)[number];

const OAuthError = z
  .object({
    error: z.enum(codes).meta({ id: 'OAuthErrorCode', description: 'Error code of RFC 6749, 5.2.' }),
    error_description: z.string().describe('What is wrong, for people.'),
  })
  .meta({
    id: 'OAuthError',
    description: 'Refusal of a token request. Source: RFC 6749, 5.2.',
    examples: [{ error: 'invalid_client', error_description: 'The client is unknown or its secret is wrong' }],
  });

/** Headers of every answer of the token endpoint. Source: RFC 6749, 5.1. */
export const neverStored = { 'cache-control': 'no-store', pragma: 'no-cache' } as const;

/** A refusal of the token endpoint; `headers` tell what is left of the rate limit, once the request has been counted. */
export const oauthRefusal = (
  error: OAuthErrorCode,
  description: string,
  headers: Readonly<Record<string, string>> = {},
): AppError =>
  new AppError(error === 'invalid_client' ? 'unauthenticated' : 'bad_request', description, {
    fields: { error },
    headers,
  });

// RFC 6749 leaves a description neither quotes, nor backslashes, nor anything but ASCII.
const plain = (text: string): string => text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?').slice(0, 500);

const answer = (status: number, error: OAuthErrorCode, description: string, headers = {}) => ({
  status,
  body: { error, error_description: plain(description) } satisfies z.input<typeof OAuthError>,
  headers: { ...neverStored, ...headers },
});

const isOAuthErrorCode = (value: unknown): value is OAuthErrorCode => codes.some((code) => code === value);

/** Refusals as clients of a token endpoint know them; what RFC 6749 has no word for, such as a 429, stays as it is. */
export const oauthRefusalForm: RefusalForm = {
  statuses: [400, 401],
  body: OAuthError,
  of: (refusal) => {
    if (refusal instanceof ValidationFailure) {
      const problems = refusal.problems.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
      return answer(400, 'invalid_request', problems.join('; '));
    }
    if (refusal.code === 'unsupported_media_type') return answer(400, 'invalid_request', refusal.message);
    const { error } = refusal.fields;
    if (!isOAuthErrorCode(error)) return null;
    const headers = error === 'invalid_client' ? { 'www-authenticate': 'Basic realm="token", charset="UTF-8"' } : {};
    return answer(statusByCode[refusal.code], error, refusal.message, { ...headers, ...refusal.headers });
  },
};
