import { readRefusal, type Refusal } from './refusal.ts';
import type { ValidationError, VersionConflict } from './schema.ts';

/**
 * Code of a refusal. `validation_failed` is a 422 with its problems. `unknown` is a response of another server, such as a
 * proxy. `/v1/oauth/token` uses the codes of OAuth.
 */
export type StrataErrorCode = NonNullable<Refusal['code']> | 'validation_failed' | 'unknown';

const maxDetailLength = 600;

/** A response other than a success. */
export class StrataError extends Error {
  /** HTTP status. */
  readonly status: number;
  readonly code: StrataErrorCode;
  /** Message for people. */
  readonly detail: string;
  /** Id of the request in the logs of the service; null if the response has none. */
  readonly requestId: string | null;
  /** Every problem of a 422, else empty. */
  readonly problems: readonly ValidationError[];
  /** With `plan_limit_reached`: the limit of the plan and the present usage. */
  readonly limit: number | null;
  readonly current: number | null;
  /** The first hundred rows whose versions differ, with a 409 that is about `if_version`, else empty. */
  readonly conflicts: readonly VersionConflict[];

  constructor(request: string, response: Response, text: string) {
    const { code, detail: told, problems, limit, current, conflicts } = readRefusal(text);
    const detail = told ?? (text.slice(0, maxDetailLength) || response.statusText);
    super(`${request} answered ${response.status}: ${detail}`);
    this.name = 'StrataError';
    this.status = response.status;
    const isInvalid = response.status === 422 && problems.length > 0;
    this.code = code ?? (isInvalid ? 'validation_failed' : 'unknown');
    this.detail = detail;
    this.requestId = response.headers.get('x-request-id');
    this.problems = problems;
    this.limit = limit;
    this.current = current;
    this.conflicts = conflicts;
  }
}
