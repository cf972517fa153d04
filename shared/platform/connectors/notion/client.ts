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

/** Creates a client without retries: the caller knows how much time is left. */
export const notionClient = (auth: string, baseUrl: string): Client =>
  new Client({ auth, baseUrl, timeoutMs, retry: false, logger: () => {}, logLevel: LogLevel.ERROR });

const gone: ReadonlySet<string> = new Set([
  APIErrorCode.ObjectNotFound,
  APIErrorCode.RestrictedResource,
  APIErrorCode.ValidationError,
]);

/** Whether an object does not exist or is not shared with the integration. */
export const isOutOfReach = (error: unknown): boolean => isNotionClientError(error) && gone.has(error.code);

/** Whether a request is invalid, such as one with a list cursor that Notion no longer knows. */
export const isInvalid = (error: unknown): boolean =>
  isNotionClientError(error) && error.code === APIErrorCode.ValidationError;

/** Whether Notion failed at a request without a rate limit. */
export const isFailing = (error: unknown): boolean =>
  isNotionClientError(error) &&
  (error.code === ClientErrorCode.RequestTimeout ||
    (isHTTPResponseError(error) && error.status >= 500 && error.status !== 529));

/** Converts an error of the SDK. The original is not kept as the cause, since it contains the response. */
export const notionFault = (error: unknown, now: Date): SourceFault => {
  if (error instanceof SourceFault) return error;
  if (!isNotionClientError(error)) {
    // Fetch reports connection errors as TypeErrors.
    if (error instanceof TypeError) return new SourceFault('busy', 'Notion is unreachable');
    throw error;
  }
  if (error.code === APIErrorCode.Unauthorized)
    return new SourceFault('token_expired', 'Notion does not accept the token: connect Notion again');
  if (error.code === ClientErrorCode.RequestTimeout) return new SourceFault('busy', 'Notion does not respond in time');
  if (!isHTTPResponseError(error)) return new SourceFault('refused', 'An id in the scope is no Notion id');
  const header = error.headers instanceof Headers ? error.headers.get('retry-after') : null;
  const limited = error.status === 429 || error.status === 529;
  const seconds = retryAfterSeconds(header, now) ?? (limited ? 10 : null);
  return new SourceFault(
    'busy',
    limited ? 'Notion limits the request rate' : `Notion responded with status ${error.status}`,
    {
      retryAfterSeconds: seconds,
    },
  );
};
