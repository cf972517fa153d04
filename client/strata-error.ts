import type { ErrorResponse, OAuthError, ValidationError, VersionConflict } from './schema.d.ts';

/**
 * `validation_failed` stands for a 422, `unknown` for an answer that is not the service's own, such as a proxy's. Those of
 * OAuth are what `/v1/oauth/token` refuses with.
 */
export type StrataErrorCode = ErrorResponse['code'] | OAuthError['error'] | 'validation_failed' | 'unknown';

const longestDetail = 600;

/** What the service answered instead of what was asked for. */
export class StrataError extends Error {
  /** HTTP status. */
  readonly status: number;
  readonly code: StrataErrorCode;
  /** For people. */
  readonly detail: string;
  /** Names the request in the logs of the service; null where the answer has none. */
  readonly requestId: string | null;
  /** Every problem of a 422, else empty. */
  readonly problems: readonly ValidationError[];
  /** With `plan_limit_reached`: what the plan allows and what there is already. */
  readonly limit: number | null;
  readonly current: number | null;
  /** The first hundred rows whose versions differ, with a 409 that is about `if_version`, else empty. */
  readonly conflicts: readonly VersionConflict[];

  constructor(request: string, response: Response, text: string) {
    const body = parse(text);
    const problems = Array.isArray(body.detail) ? body.detail : [];
    const detail = typeof body.detail === 'string' ? body.detail : describe(problems, text);
    super(`${request} answered ${response.status}: ${detail}`);
    this.name = 'StrataError';
    this.status = response.status;
    this.code = body.code ?? (response.status === 422 ? 'validation_failed' : 'unknown');
    this.detail = detail;
    this.requestId = response.headers.get('x-request-id');
    this.problems = problems;
    this.limit = body.limit ?? null;
    this.current = body.current ?? null;
    this.conflicts = body.conflicts ?? [];
  }
}

type Body = Partial<Omit<ErrorResponse, 'code' | 'detail'>> & {
  readonly code?: StrataErrorCode;
  readonly detail?: string | readonly ValidationError[];
};

/** Both are asked for, since answers that are no token endpoint's have an `error` as well. */
const isOAuthError = (body: object): body is OAuthError =>
  'error' in body &&
  typeof body.error === 'string' &&
  'error_description' in body &&
  typeof body.error_description === 'string';

const parse = (text: string): Body => {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null) return {};
    return isOAuthError(body) ? { code: body.error, detail: body.error_description } : body;
  } catch {
    return {};
  }
};

const describe = (problems: readonly ValidationError[], text: string): string =>
  problems.length === 0
    ? text.slice(0, longestDetail)
    : problems.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
