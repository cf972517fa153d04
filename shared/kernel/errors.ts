import type { JsonObject } from './json.ts';
import { capitalized } from './text.ts';

/** HTTP status of each stable error code. A code that is added here must be documented in the API description. */
export const statusByCode = {
  bad_request: 400,
  unauthenticated: 401,
  token_expired: 401,
  key_revoked: 401,
  plan_limit_reached: 402,
  forbidden: 403,
  owner_required: 403,
  write_permission_required: 403,
  index_not_allowed: 403,
  organization_not_allowed: 403,
  feature_not_in_plan: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  idempotency_conflict: 409,
  name_taken: 409,
  index_not_ready: 409,
  index_full: 409,
  evaluation_running: 409,
  evaluation_failed: 409,
  golden_set_too_small: 409,
  search_too_large: 409,
  not_supported_by_engine: 409,
  cursor_expired: 410,
  version_not_kept: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof statusByCode;

interface AppErrorOptions {
  /** Internal cause; logged, never sent. */
  readonly cause?: unknown;
  /** Extra public fields of the body, such as `limit` and `current`. */
  readonly fields?: JsonObject;
  /** Extra response headers, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether a limit that is reached is that of the caller alone, so that its figures show nothing of others. */
  readonly isOwn?: boolean;
}

/** An error with a stable code and a message that is safe to show to the caller. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
  readonly isOwn: boolean;

  constructor(code: ErrorCode, publicMessage: string, options: AppErrorOptions = {}) {
    super(publicMessage, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = options.fields ?? {};
    this.headers = options.headers ?? {};
    this.isOwn = options.isOwn ?? false;
  }
}

/**
 * Error for a response that exceeds Lambda's limit. Source: AWS, "Lambda quotas": 6 MB for a request and a response.
 */
export const answerTooLarge = (): AppError =>
  new AppError(
    'payload_too_large',
    'The response would be larger than 6 MiB: request fewer items or fewer fields, or accept gzip or br',
  );

/** Error 503: the request may succeed if it is retried after `afterSeconds`. */
export const unavailable = (
  cause: unknown,
  publicMessage = 'The request could not be completed, try again',
  afterSeconds = 1,
): AppError => new AppError('unavailable', publicMessage, { cause, headers: { 'retry-after': String(afterSeconds) } });

/** Error 404. A resource of another organization gets the same response as a missing one. */
export const notFound = (what: string): AppError => new AppError('not_found', `${what} not found`);

/** One problem of a request, in the wire form of the 422 body. */
export interface ValidationProblem {
  /** Location: `body`, `query`, `path` or `header`, then keys and array positions. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  /** A pydantic error type, such as `missing` or `greater_than_equal`. */
  readonly type: string;
}

/** A request whose fields do not validate; carries every problem at once. */
export class ValidationFailure extends Error {
  readonly problems: readonly ValidationProblem[];

  constructor(problems: readonly ValidationProblem[]) {
    super(`${problems.length} validation problem(s)`);
    this.name = 'ValidationFailure';
    this.problems = problems;
  }
}

/** Returns a problem of a value whose form is valid, with a sentence that says what is wrong. */
export const valueProblem = (loc: ValidationProblem['loc'], msg: string): ValidationProblem => ({
  loc,
  msg: capitalized(msg),
  type: 'value_error',
});

/** Error 422 for one field whose value the schema alone cannot validate. */
export const invalid = (loc: ValidationProblem['loc'], msg: string): ValidationFailure =>
  new ValidationFailure([valueProblem(loc, msg)]);

/** Whether an error is a 4xx: a refusal of the request, not a failure of the service. */
export const isExpected = (error: unknown): boolean =>
  error instanceof ValidationFailure || (error instanceof AppError && statusByCode[error.code] < 500);
