import {
  APIErrorCode,
  Client,
  ClientErrorCode,
  isHTTPResponseError,
  isNotionClientError,
  LogLevel,
} from '@notionhq/client';
import { retryAfterSeconds } from '../../../kernel/retry-after.ts';
import { SourceFault } from '../port.ts';

const timeoutMs = 60_000;

/** A client that repeats nothing by itself: whoever calls it knows how much time there is. */
export const notionClient = (auth: string, baseUrl: string): Client =>
  new Client({ auth, baseUrl, timeoutMs, retry: false, logger: () => {}, logLevel: LogLevel.ERROR });

const gone: ReadonlySet<string> = new Set([
  APIErrorCode.ObjectNotFound,
  APIErrorCode.RestrictedResource,
  APIErrorCode.ValidationError,
]);

/** Whether an error says that there is no such thing, or not for this integration. */
export const isOutOfReach = (error: unknown): boolean => isNotionClientError(error) && gone.has(error.code);

/** Whether an error says that a request makes no sense, such as one with a place in a list that Notion has forgotten. */
export const isInvalid = (error: unknown): boolean =>
  isNotionClientError(error) && error.code === APIErrorCode.ValidationError;

/** Whether Notion failed at a request, for which it asks for no patience. */
export const isFailing = (error: unknown): boolean =>
  isNotionClientError(error) &&
  (error.code === ClientErrorCode.RequestTimeout ||
    (isHTTPResponseError(error) && error.status >= 500 && error.status !== 529));

/** What an error of the SDK means for the connection. The error itself is not kept: it holds the whole answer. */
export const notionFault = (error: unknown, now: Date): SourceFault => {
  if (error instanceof SourceFault) return error;
  if (!isNotionClientError(error)) {
    // Fetch reports a connection that failed as a TypeError.
    if (error instanceof TypeError) return new SourceFault('busy', 'Notion cannot be reached');
    throw error;
  }
  if (error.code === APIErrorCode.Unauthorized)
    return new SourceFault('token_expired', 'Notion does not accept the token: connect Notion again');
  if (error.code === ClientErrorCode.RequestTimeout) return new SourceFault('busy', 'Notion does not answer in time');
  if (!isHTTPResponseError(error)) return new SourceFault('refused', 'An id in the scope is not one of Notion');
  const header = error.headers instanceof Headers ? error.headers.get('retry-after') : null;
  const limited = error.status === 429 || error.status === 529;
  const seconds = retryAfterSeconds(header, now) ?? (limited ? 10 : null);
  return new SourceFault('busy', limited ? 'Notion asks for fewer requests' : `Notion answers ${error.status}`, {
    retryAfterSeconds: seconds,
  });
};
