import { isObject, type Json, type JsonObject } from '../../../kernel/json.ts';
import { retryAfterSeconds } from '../../../kernel/retry-after.ts';
import { failed, isStuck, type SourceChange, SourceFault, type StepInput } from '../port.ts';
import { textAt } from '../read-text.ts';

const timeoutMs = 60_000;
/** Where Google asks for fewer requests and does not say when to come again. */
const defaultRetrySeconds = 30;
/** Where what a day allows is used up. */
const dayRetrySeconds = 3_600;

/** What every request to Google is made with. */
export interface GoogleCall {
  readonly rootUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly retry: false;
  readonly timeout: number;
}

/**
 * Requests in the name of the credentials, repeated by nobody but whoever makes them. Throws `token_expired` where no token
 * has been had for the credentials yet.
 */
export const googleCall = (credentials: JsonObject, rootUrl: string): GoogleCall => {
  const token = textAt(credentials, 'token');
  if (token === '')
    throw new SourceFault('token_expired', 'Google accepts no access without a token: connect it again');
  return { rootUrl, headers: { authorization: `Bearer ${token}` }, retry: false, timeout: timeoutMs };
};

interface GoogleResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly data: unknown;
}

// The client has a copy of its HTTP library to itself, so its class of errors is not to be had.
const isGoogleError = (error: unknown): error is Error & { readonly response?: GoogleResponse } =>
  error instanceof Error && 'config' in error;

/** Status that Google answered with; null where the error is no answer. */
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

/** Google's word for what is wrong, such as `rateLimitExceeded`; empty where it says none. */
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

/** What Google says of one file or shared drive that is not for the account to see, whatever else is. */
const ofOneThing: ReadonlySet<string> = new Set([
  'forbidden',
  'insufficientFilePermissions',
  'appNotAuthorizedToFile',
  'teamDriveMembershipRequired',
]);

/** Whether there is no such thing for the account; what says that it may read nothing is not among it. */
export const isHidden = (error: unknown): boolean => {
  const status = googleStatus(error);
  if (status !== 403 || !isGoogleError(error)) return status === 404;
  return ofOneThing.has(reasonOf(error.response?.data ?? error.message));
};

/** Whether Google has failed so often, at a request that has others of its kind, that the sync goes on without. */
export const isSkippable = (error: unknown, input: StepInput): boolean =>
  (googleStatus(error) ?? 0) >= 500 && isStuck(input);

/** Tells of one thing at which Google fails. */
export const skipped = (what: string, externalId: string): SourceChange =>
  failed(`Google fails at ${what}: it stays as it was until it can be read`, { externalId, passing: true });

const refusal = (name: string, reason: string): string => {
  if (reason === 'accessNotConfigured' || reason === 'SERVICE_DISABLED')
    return `The API of ${name} is switched off for the application: ask whoever runs it to enable it`;
  if (reason === 'domainPolicy') return `An administrator does not let ${name} be read: ask them for access`;
  return `${name} does not give access to it: connect it again with the permission to read`;
};

/**
 * What an error of Google's client means for the connection. The error itself is not kept: it holds the request with its
 * token, and the whole answer. Throws what is none of Google's.
 */
export const googleFault = (error: unknown, name: string, now: Date): SourceFault => {
  if (error instanceof SourceFault) return error;
  if (!isGoogleError(error)) throw error;
  const { response } = error;
  if (response === undefined) return new SourceFault('busy', `${name} cannot be reached`);
  const { status } = response;
  // What is said of a download that failed is kept as the message alone.
  const reason = reasonOf(response.data ?? error.message);
  const seconds = retryAfterSeconds(response.headers.get('retry-after'), now);
  if (status === 401)
    return new SourceFault('token_expired', `${name} does not accept the access any more: connect it again`);
  if (reason === 'dailyLimitExceeded')
    return new SourceFault('busy', `${name} allows no more requests today`, {
      retryAfterSeconds: seconds ?? dayRetrySeconds,
    });
  if (status === 429 || (status === 403 && limits.has(reason)))
    return new SourceFault('busy', `${name} asks for fewer requests`, {
      retryAfterSeconds: seconds ?? defaultRetrySeconds,
    });
  if (status === 403) return new SourceFault('refused', refusal(name, reason));
  return new SourceFault('busy', `${name} answers ${status}`, { retryAfterSeconds: seconds });
};

/** Whether a connection broke, or was too slow, while a body was read. */
const isBroken = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError' || 'code' in error);

/** The same for the content of one thing: what is refused, or breaks off, says nothing of the rest. */
export const googleContentFault = (error: unknown, name: string, now: Date): SourceFault => {
  if (!(error instanceof SourceFault) && !isGoogleError(error) && isBroken(error))
    return new SourceFault('busy', `${name} broke it off`);
  const fault = googleFault(error, name, now);
  return fault.kind === 'refused' ? new SourceFault('unreadable', `${name} does not let it be read`) : fault;
};

const mebibyte = 1024 * 1024;
/** Longest content that is read. */
export const maxBytes = 128 * mebibyte;

export const tooLong = (): SourceFault =>
  new SourceFault('unreadable', `it has more than ${maxBytes / mebibyte} MiB, which is the most that is read`);
