import * as z from 'zod';
import type { ErrorFormat } from '../http/response.ts';
import { noStoreHeaders } from '../http/security-headers.ts';
import { AppError, statusByCode, ValidationFailure } from '../kernel/errors.ts';

const codes = [
  'invalid_request',
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_grant',
  'invalid_target',
  'unsupported_token_type',
] as const;

type OAuthErrorCode = (typeof codes)[number];

const OAuthError = z
  .object({
    error: z
      .enum(codes)
      .meta({ id: 'OAuthErrorCode', description: 'Error code of RFC 6749, 5.2, RFC 7009, 2.2.1, or RFC 8707, 2.' }),
    error_description: z.string().describe('Human-readable description of the error.'),
  })
  .meta({
    id: 'OAuthError',
    description: 'Error of a token request. Source: RFC 6749, 5.2.',
    examples: [{ error: 'invalid_client', error_description: 'The client is unknown or its secret is wrong' }],
  });

/** Returns an error of the token endpoint. `headers` are those of the rate limit, if the request was counted. */
export const oauthError = (
  error: OAuthErrorCode,
  description: string,
  headers: Readonly<Record<string, string>> = {},
): AppError =>
  new AppError(error === 'invalid_client' ? 'unauthenticated' : 'bad_request', description, {
    fields: { error },
    headers,
  });

// RFC 6749 allows ASCII without quotes and backslashes in a description.
const plain = (text: string): string => text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?').slice(0, 500);

const response = (status: number, error: OAuthErrorCode, description: string, headers = {}) => ({
  status,
  body: { error, error_description: plain(description) } satisfies z.input<typeof OAuthError>,
  headers: { ...noStoreHeaders, ...headers },
});

const isOAuthErrorCode = (value: unknown): value is OAuthErrorCode => codes.some((code) => code === value);

/** Error format of RFC 6749. Errors without a code there, such as a 429, keep the format of the API. */
export const oauthErrorFormat: ErrorFormat = {
  statuses: [400, 401],
  headers: ['cache-control', 'pragma'],
  body: OAuthError,
  of: (refusal) => {
    if (refusal instanceof ValidationFailure) {
      const problems = refusal.problems.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
      return response(400, 'invalid_request', problems.join('; '));
    }
    if (refusal.code === 'unsupported_media_type') return response(400, 'invalid_request', refusal.message);
    const { error } = refusal.fields;
    if (!isOAuthErrorCode(error)) return null;
    const headers = error === 'invalid_client' ? { 'www-authenticate': 'Basic realm="token", charset="UTF-8"' } : {};
    return response(statusByCode[refusal.code], error, refusal.message, { ...headers, ...refusal.headers });
  },
};
