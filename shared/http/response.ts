import type * as z from 'zod';
import type { ErrorCode } from '../kernel/errors.ts';
import { answerTooLarge, AppError, statusByCode, ValidationFailure, type ValidationProblem } from '../kernel/errors.ts';
import { challenges } from './www-authenticate.ts';
import { acceptedEncoding, compress } from './content-encoding.ts';

/** Response of a Lambda function to API Gateway. */
export interface HttpResult {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64Encoded?: boolean;
}

/** Error format of a protocol that differs from that of the API, such as OAuth. */
export interface ErrorFormat {
  /** Statuses with this format. */
  readonly statuses: readonly number[];
  /** Names of the headers that every such response has. */
  readonly headers?: readonly ('cache-control' | 'pragma')[];
  readonly body: z.ZodType;
  /** Returns the response to an error; null if the error keeps the format of the API. */
  readonly of: (refusal: AppError | ValidationFailure) => {
    readonly status: number;
    readonly body: unknown;
    readonly headers: Readonly<Record<string, string>>;
  } | null;
}

/** Content of an error page. */
interface ShownError {
  readonly detail: string;
  readonly requestId: string;
  /** Value of the header `retry-after`; null if a retry does not help. */
  readonly retryAfter: string | null;
}

/** Returns the HTML of an error page. */
export type ErrorPage = (refusal: ShownError) => string;

/** Body of every error except a 422. */
export interface ErrorBody {
  readonly detail: string;
  readonly code: ErrorCode;
  readonly request_id: string;
}

/** Returns a JSON response. */
export const jsonResponse = (
  status: number,
  body: unknown,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResult => ({
  statusCode: status,
  headers: { 'content-type': 'application/json', 'x-request-id': requestId, ...headers },
  body: JSON.stringify(body),
});

/** Minimum size of compressed responses. Below, compression takes longer than the transfer time that it saves. */
const compressedFromBytes = 16 * 1024;

const acceptsHtml = (requested: Readonly<Record<string, string | undefined>>): boolean =>
  /(?:^|[,\s])text\/html(?:[,;\s]|$)/i.test(requested['accept'] ?? '');

/** Converts an error response to an HTML page if the endpoint has one and the client accepts it. */
export const asErrorPage = (
  page: ErrorPage | undefined,
  error: HttpResult,
  requestHeaders: Readonly<Record<string, string | undefined>>,
): HttpResult => {
  if (page === undefined || !acceptsHtml(requestHeaders)) return error;
  const { detail } = JSON.parse(error.body) as Pick<ErrorBody, 'detail'> | { readonly detail: ValidationProblem[] };
  const shown = {
    detail: typeof detail === 'string' ? detail : detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; '),
    requestId: error.headers['x-request-id'] ?? '',
    retryAfter: error.headers['retry-after'] ?? null,
  };
  const headers = { ...error.headers, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  return { ...error, headers, body: page(shown) };
};

/** Compresses a large JSON response if the client accepts it. */
export const compressed = (
  result: HttpResult,
  requestHeaders: Readonly<Record<string, string | undefined>>,
): HttpResult => {
  if (result.isBase64Encoded === true || result.body.length < compressedFromBytes) return result;
  const headers = { ...result.headers, vary: 'accept-encoding' };
  const encoding = acceptedEncoding(requestHeaders['accept-encoding']);
  if (encoding === null) return { ...result, headers };
  return {
    ...result,
    headers: { ...headers, 'content-encoding': encoding },
    body: compress(Buffer.from(result.body), encoding, 'quick').toString('base64'),
    isBase64Encoded: true,
  };
};

const maxResponseBytes = 6 * 1024 * 1024;
/** Maximum growth of a character when a body becomes a JSON string, as of `\\u001f`. */
const maxGrowth = 6;

/** Throws `payload_too_large` for a response above the payload limit of a Lambda function. */
export const requireWithinPayloadLimit = (result: HttpResult): HttpResult => {
  const fits =
    result.body.length * maxGrowth < maxResponseBytes || Buffer.byteLength(JSON.stringify(result)) <= maxResponseBytes;
  if (!fits) throw answerTooLarge();
  return result;
};

/**
 * Returns the response to a thrown error. An unknown error is a 500 without details. The headers of the error contain the
 * `retry-after` of a 429, which `shared/usage` throws for rate limits, and of a 503.
 */
export const errorResponse = (error: unknown, requestId: string, format?: ErrorFormat): HttpResult => {
  const refusal =
    error instanceof AppError || error instanceof ValidationFailure
      ? error
      : new AppError('internal', 'Internal error', { cause: error });
  const formatted = format?.of(refusal);
  if (formatted != null) return jsonResponse(formatted.status, formatted.body, requestId, formatted.headers);
  if (refusal instanceof ValidationFailure) return jsonResponse(422, { detail: refusal.problems }, requestId);
  const body: ErrorBody = { detail: refusal.message, code: refusal.code, request_id: requestId };
  return jsonResponse(statusByCode[refusal.code], { ...body, ...refusal.fields }, requestId, {
    ...challenges[refusal.code],
    ...refusal.headers,
  });
};
