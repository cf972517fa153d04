import type * as z from 'zod';
import type { ErrorCode } from '../kernel/errors.ts';
import { answerTooLarge, AppError, statusByCode, ValidationFailure, type ValidationProblem } from '../kernel/errors.ts';
import { challenges } from './challenge.ts';
import { acceptedEncoding, compress } from './content-encoding.ts';

/** What Lambda hands back to the HTTP API. */
export interface HttpResult {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64Encoded?: boolean;
}

/** How an endpoint refuses where a protocol prescribes another form than ours. */
export interface RefusalForm {
  /** The statuses that have the form, and its body. */
  readonly statuses: readonly number[];
  readonly body: z.ZodType;
  /** The answer to a refusal; null for one that keeps our form. */
  readonly of: (refusal: AppError | ValidationFailure) => {
    readonly status: number;
    readonly body: unknown;
    readonly headers: Readonly<Record<string, string>>;
  } | null;
}

/** A refusal as a person is shown it. */
interface ShownRefusal {
  readonly detail: string;
  readonly requestId: string;
  /** Seconds after which the same request may succeed; null if it never does. */
  readonly retryAfter: string | null;
}

/** Returns the HTML of a refusal. */
export type RefusalPage = (refusal: ShownRefusal) => string;

/** The body of every error that is not a 422. */
export interface ErrorBody {
  readonly detail: string;
  readonly code: ErrorCode;
  readonly request_id: string;
}

/** A JSON answer. */
export const json = (
  status: number,
  body: unknown,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResult => ({
  statusCode: status,
  headers: { 'content-type': 'application/json', 'x-request-id': requestId, ...headers },
  body: JSON.stringify(body),
});

/** From here on a JSON answer is compressed: below, the time on the wire that it saves is less than what it costs. */
const compressedFromBytes = 16 * 1024;

const acceptsHtml = (requested: Readonly<Record<string, string | undefined>>): boolean =>
  /(?:^|[,\s])text\/html(?:[,;\s]|$)/i.test(requested['accept'] ?? '');

/** Returns a refusal as a page, with its status and headers, for a client that accepts one; any other refusal as it is. */
export const asPage = (
  page: RefusalPage | undefined,
  refused: HttpResult,
  requested: Readonly<Record<string, string | undefined>>,
): HttpResult => {
  if (page === undefined || !acceptsHtml(requested)) return refused;
  const { detail } = JSON.parse(refused.body) as Pick<ErrorBody, 'detail'> | { readonly detail: ValidationProblem[] };
  const shown = {
    detail: typeof detail === 'string' ? detail : detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; '),
    requestId: refused.headers['x-request-id'] ?? '',
    retryAfter: refused.headers['retry-after'] ?? null,
  };
  const headers = { ...refused.headers, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  return { ...refused, headers, body: page(shown) };
};

/** A large JSON answer in the form that its client takes; any other answer as it is. */
export const compressed = (result: HttpResult, requested: Readonly<Record<string, string | undefined>>): HttpResult => {
  if (result.isBase64Encoded === true || result.body.length < compressedFromBytes) return result;
  const headers = { ...result.headers, vary: 'accept-encoding' };
  const encoding = acceptedEncoding(requested['accept-encoding']);
  if (encoding === null) return { ...result, headers };
  return {
    ...result,
    headers: { ...headers, 'content-encoding': encoding },
    body: compress(Buffer.from(result.body), encoding, 'quick').toString('base64'),
    isBase64Encoded: true,
  };
};

const largestAnswerBytes = 6 * 1024 * 1024;
/** How much a character grows at most when a body becomes a string of a function's answer, as `\\u001f` does. */
const mostGrowth = 6;

/** An answer that a function can give. Throws `payload_too_large` for any other. */
export const requireFitting = (result: HttpResult): HttpResult => {
  const fits =
    result.body.length * mostGrowth < largestAnswerBytes ||
    Buffer.byteLength(JSON.stringify(result)) <= largestAnswerBytes;
  if (!fits) throw answerTooLarge();
  return result;
};

/** The answer to whatever a handler threw: known refusals as they are, anything else as a bare 500. */
export const errorAnswer = (error: unknown, requestId: string, form?: RefusalForm): HttpResult => {
  const own = error instanceof AppError || error instanceof ValidationFailure ? form?.of(error) : null;
  if (own != null) return json(own.status, own.body, requestId, own.headers);
  if (error instanceof ValidationFailure) return json(422, { detail: error.problems }, requestId);
  const refusal = error instanceof AppError ? error : new AppError('internal', 'Internal error', { cause: error });
  const body: ErrorBody = { detail: refusal.message, code: refusal.code, request_id: requestId };
  return json(statusByCode[refusal.code], { ...body, ...refusal.fields }, requestId, {
    ...challenges[refusal.code],
    ...refusal.headers,
  });
};
