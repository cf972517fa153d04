import { isObject, type Json, type JsonObject } from '../../../kernel/json.ts';
import { retryAfterSeconds } from '../../../kernel/retry-after.ts';
import { failed, isStuck, type SourceChange, SourceFault, type StepInput } from '../port.ts';
import { textAt } from '../read-text.ts';

const timeoutMs = 60_000;
/** Retry delay of a rate limit without `Retry-After`. */
const defaultRetrySeconds = 30;
/** Retry delay of a daily limit. */
const dayRetrySeconds = 3_600;

/** Options of every request to Google. */
export interface GoogleCall {
  readonly rootUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly retry: false;
  readonly timeout: number;
}

/**
 * Returns request options for credentials, without retries. Throws `token_expired` if the credentials have no token
 * yet.
 */
export const googleCall = (credentials: JsonObject, rootUrl: string): GoogleCall => {
  const token = textAt(credentials, 'token');
  if (token === '') throw new SourceFault('token_expired', 'Google requires a token: connect it again');
  return { rootUrl, headers: { authorization: `Bearer ${token}` }, retry: false, timeout: timeoutMs };
};

interface GoogleResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly data: unknown;
}

// The client bundles its own HTTP library, so its error class cannot be imported.
const isGoogleError = (error: unknown): error is Error & { readonly response?: GoogleResponse } =>
  error instanceof Error && 'config' in error;

/** Returns the HTTP status of a Google error; null if there was no response. */
export const googleStatus = (error: unknown): number | null =>
  isGoogleError(error) ? (error.response?.status ?? null) : null;

const bodyOf = (data: unknown): JsonObject => {
  try {
    const body = (typeof data === 'string' ? JSON.parse(data) : data) as JsonObject;
    const error = isObject(body) ? body['error'] : undefined;
    return isObject(error) ? error : {};
  } catch {
    return {};
  }
};

/** Returns Google's reason, such as `rateLimitExceeded`; empty if there is none. */
const reasonOf = (data: unknown): string => {
  const error = bodyOf(data);
  const errors = error['errors'];
  const first = Array.isArray(errors) ? (errors as readonly Json[])[0] : undefined;
  return isObject(first) ? textAt(first, 'reason') : textAt(error, 'status');
};

const limits: ReadonlySet<string> = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'quotaExceeded',
  'concurrentLimitExceeded',
  'RESOURCE_EXHAUSTED',
]);

/** Reasons that concern one file or shared drive only. */
const ofOneThing: ReadonlySet<string> = new Set([
  'forbidden',
  'insufficientFilePermissions',
  'appNotAuthorizedToFile',
  'teamDriveMembershipRequired',
]);

/** Whether one file or drive does not exist for the account. A missing permission for everything does not count. */
export const isHidden = (error: unknown): boolean => {
  const status = googleStatus(error);
  if (status !== 403 || !isGoogleError(error)) return status === 404;
  return ofOneThing.has(reasonOf(error.response?.data ?? error.message));
};

/** Whether Google has failed so often at a request for one item that the sync skips the item. */
export const isSkippable = (error: unknown, input: StepInput): boolean =>
  (googleStatus(error) ?? 0) >= 500 && isStuck(input);

/** Returns a failure of one item at which Google fails. */
export const skipped = (what: string, externalId: string): SourceChange =>
  failed(`Google fails at ${what}: it stays as it was until it can be read`, { externalId, isTransient: true });

const refusal = (name: string, reason: string): string => {
  if (reason === 'accessNotConfigured' || reason === 'SERVICE_DISABLED')
    return `The API of ${name} is disabled for the application: ask its operator to enable it`;
  if (reason === 'domainPolicy') return `An administrator blocks access to ${name}: ask them for access`;
  return `${name} denies access: connect it again with the permission to read`;
};

/**
 * Converts an error of Google's client. The original is not kept as the cause, since it contains the token and the
 * response.
 * Throws errors of other origin.
 */
export const googleFault = (error: unknown, name: string, now: Date): SourceFault => {
  if (error instanceof SourceFault) return error;
  if (!isGoogleError(error)) throw error;
  const { response } = error;
  if (response === undefined) return new SourceFault('busy', `${name} is unreachable`);
  const { status } = response;
  // A failed download has its error in the message only.
  const reason = reasonOf(response.data ?? error.message);
  const seconds = retryAfterSeconds(response.headers.get('retry-after'), now);
  if (status === 401) return new SourceFault('token_expired', `${name} no longer accepts the token: connect it again`);
  if (reason === 'dailyLimitExceeded')
    return new SourceFault('busy', `The daily limit of ${name} is reached`, {
      retryAfterSeconds: seconds ?? dayRetrySeconds,
    });
  if (status === 429 || (status === 403 && limits.has(reason)))
    return new SourceFault('busy', `${name} limits the request rate`, {
      retryAfterSeconds: seconds ?? defaultRetrySeconds,
    });
  if (status === 403) return new SourceFault('refused', refusal(name, reason));
  return new SourceFault('busy', `${name} responded with status ${status}`, { retryAfterSeconds: seconds });
};

/** Whether the connection broke or timed out while a body was read. */
const isBroken = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError' || 'code' in error);

/** Converts an error of one item's content, which does not concern other items. */
export const googleContentFault = (error: unknown, name: string, now: Date): SourceFault => {
  if (!(error instanceof SourceFault) && !isGoogleError(error) && isBroken(error))
    return new SourceFault('busy', `${name} closed the connection`);
  const fault = googleFault(error, name, now);
  return fault.kind === 'refused' ? new SourceFault('unreadable', `${name} denies access to it`) : fault;
};

const mebibyte = 1024 * 1024;
/** Maximum size of content. */
export const maxBytes = 128 * mebibyte;

export const tooLong = (): SourceFault =>
  new SourceFault('unreadable', `it has more than ${maxBytes / mebibyte} MiB, the maximum size`);
