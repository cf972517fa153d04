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

// What the SDK would say of a request may hold what is nobody's business.
const silent: NonNullable<WebClientOptions['logger']> = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  setLevel: () => {},
  getLevel: () => LogLevel.ERROR,
  setName: () => {},
};

/** A client that repeats nothing by itself: whoever calls it knows how much time there is. */
export const slackClient = (token: string, slackApiUrl: string): WebClient =>
  new WebClient(token, {
    slackApiUrl,
    logger: silent,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    timeout: timeoutMs,
  });

/** Slack's own words for an access that a person has to mend. */
const refusals: Readonly<Record<string, string>> = {
  invalid_auth: 'Slack does not accept the token: connect Slack again',
  not_authed: 'Slack does not accept the token: connect Slack again',
  token_revoked: 'The access to Slack was taken back: connect Slack again',
  account_inactive: 'The Slack account of the token is closed: connect Slack again',
  team_access_not_granted: 'The token has no access to the workspace: connect Slack again',
  missing_scope:
    'The Slack app lacks a permission: it needs channels:history, groups:history, channels:read and groups:read',
  no_permission: 'The Slack app may not read the workspace: ask an administrator for access',
  org_login_required: 'The workspace is being moved to an organization: connect Slack again afterwards',
  ekm_access_denied: 'An administrator of the workspace has withdrawn the access to messages',
};

/** What Slack says of one channel alone. */
const channelProblems: Readonly<Record<string, string>> = {
  channel_not_found: 'is not there for the Slack app: check its id, and invite the app to it if it is private',
  not_in_channel: 'has not the Slack app as a member: invite the app to it',
};

/** Why one channel can't be read, in words that follow its name; null where the error is about something else. */
export const channelProblem = (error: unknown): string | null =>
  error instanceof WebAPIPlatformError ? (channelProblems[error.data.error] ?? null) : null;

/** Slack's code of an error; null where Slack did not say one. */
export const slackCode = (error: unknown): string | null =>
  error instanceof WebAPIPlatformError ? error.data.error : null;

/** What an error of the SDK means for the connection. The error itself is not kept: it may carry headers. */
export const slackFault = (error: unknown, now: Date): SourceFault => {
  if (error instanceof SourceFault) return error;
  if (error instanceof WebAPIRateLimitedError)
    return new SourceFault('busy', 'Slack asks for fewer requests', { retryAfterSeconds: error.retryAfter });
  if (error instanceof WebAPIHTTPError) {
    const retryAfter = retryAfterSeconds(error.headers['retry-after'], now);
    return new SourceFault('busy', `Slack answers ${error.statusCode}`, { retryAfterSeconds: retryAfter });
  }
  if (error instanceof WebAPIRequestError) return new SourceFault('busy', 'Slack cannot be reached');
  const code = slackCode(error);
  if (code === null) throw error;
  if (code === 'token_expired')
    return new SourceFault('token_expired', 'The access to Slack has ended: connect it again');
  if (code === 'ratelimited')
    return new SourceFault('busy', 'Slack asks for fewer requests', { retryAfterSeconds: 30 });
  const refusal = refusals[code];
  return refusal === undefined ? new SourceFault('busy', `Slack answers ${code}`) : new SourceFault('refused', refusal);
};
