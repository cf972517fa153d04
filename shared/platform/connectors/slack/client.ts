import {
  LogLevel,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api';
import { retryAfterSeconds } from '../../../kernel/retry-after.ts';
import { SourceFault } from '../port.ts';

const timeoutMs = 30_000;

// Log lines of the SDK could contain private data.
const silent: NonNullable<WebClientOptions['logger']> = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  setLevel: () => {},
  getLevel: () => LogLevel.ERROR,
  setName: () => {},
};

/** Creates a client without retries: the caller knows how much time is left. */
export const slackClient = (token: string, slackApiUrl: string): WebClient =>
  new WebClient(token, {
    slackApiUrl,
    logger: silent,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    timeout: timeoutMs,
  });

/** Messages for Slack errors that a person must resolve. */
const refusals: Readonly<Record<string, string>> = {
  invalid_auth: 'Slack does not accept the token: connect Slack again',
  not_authed: 'Slack does not accept the token: connect Slack again',
  token_revoked: 'The access to Slack was revoked: connect Slack again',
  account_inactive: 'The Slack account of the token is closed: connect Slack again',
  team_access_not_granted: 'The token has no access to the workspace: connect Slack again',
  missing_scope:
    'The Slack app lacks a permission: it needs channels:history, groups:history, channels:read and groups:read',
  no_permission: 'The Slack app may not read the workspace: ask an administrator for access',
  org_login_required: 'The workspace is being moved to an organization: connect Slack again afterwards',
  ekm_access_denied: 'An administrator of the workspace has revoked access to messages',
};

/** Messages for errors that concern one channel. */
const channelProblems: Readonly<Record<string, string>> = {
  channel_not_found: 'is not visible to the Slack app: check its id, and invite the app if it is private',
  not_in_channel: 'does not have the Slack app as a member: invite the app',
};

/** Returns why one channel cannot be read, as text after its name; null if the error concerns something else. */
export const channelProblem = (error: unknown): string | null =>
  error instanceof WebAPIPlatformError ? (channelProblems[error.data.error] ?? null) : null;

/** Returns Slack's error code; null if there is none. */
export const slackCode = (error: unknown): string | null =>
  error instanceof WebAPIPlatformError ? error.data.error : null;

/** Converts an error of the SDK. The original is not kept as the cause, since it may contain headers. */
export const slackFault = (error: unknown, now: Date): SourceFault => {
  if (error instanceof SourceFault) return error;
  if (error instanceof WebAPIRateLimitedError)
    return new SourceFault('busy', 'Slack limits the request rate', { retryAfterSeconds: error.retryAfter });
  if (error instanceof WebAPIHTTPError) {
    const retryAfter = retryAfterSeconds(error.headers['retry-after'], now);
    return new SourceFault('busy', `Slack responded with status ${error.statusCode}`, {
      retryAfterSeconds: retryAfter,
    });
  }
  if (error instanceof WebAPIRequestError) return new SourceFault('busy', 'Slack is unreachable');
  const code = slackCode(error);
  if (code === null) throw error;
  if (code === 'token_expired')
    return new SourceFault('token_expired', 'The access to Slack has expired: connect it again');
  if (code === 'ratelimited')
    return new SourceFault('busy', 'Slack limits the request rate', { retryAfterSeconds: 30 });
  const refusal = refusals[code];
  return refusal === undefined
    ? new SourceFault('busy', `Slack responded with ${code}`)
    : new SourceFault('refused', refusal);
};
