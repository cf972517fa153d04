import { laterBy } from '../../kernel/clock.ts';
import { isTransientStatus } from '../../kernel/http-status.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { readBounded } from '../../kernel/read-bounded.ts';
import { retryAfterSeconds } from '../../kernel/retry-after.ts';
import type { ProviderAddresses } from './provider-addresses.ts';
import type { OauthClient, OauthFamily } from './oauth-clients.ts';
import { accountName } from './account-name.ts';
import { SourceFault } from './port.ts';
import { textAt } from './read-text.ts';

const timeoutMs = 15_000;
/** Maximum size of a token response; tokens take a few kilobytes. */
const maxBytes = 1024 * 1024;

/** OAuth flow of a provider. Source: each provider's OAuth 2.0 documentation. */
interface Flow {
  readonly family: OauthFamily;
  readonly name: string;
  readonly consent: (addresses: ProviderAddresses, client: OauthClient) => string;
  readonly token: (addresses: ProviderAddresses, client: OauthClient | null) => string;
  readonly consentQuery: Readonly<Record<string, string>>;
  /** Extra scope that makes the token response name the account. */
  readonly accountScope?: string;
  /** Whether the token request is JSON with HTTP Basic (Notion) instead of a form. */
  readonly asJson: boolean;
  /**
   * Whether it accepts PKCE with a client secret. Slack then treats the client as public, and Notion does not support
   * it.
   */
  readonly takesChallenge: boolean;
}

const google = (name: string, scope: string): Flow => ({
  family: 'google',
  name,
  consent: ({ google_accounts: base }) => `${base}/o/oauth2/v2/auth`,
  token: ({ google_oauth: base }) => `${base}/token`,
  // Google returns a refresh token for a first consent only, unless the prompt is forced.
  consentQuery: { scope: `https://www.googleapis.com/auth/${scope}`, access_type: 'offline', prompt: 'consent' },
  accountScope: 'openid email',
  asJson: false,
  takesChallenge: true,
});

/** Source: Microsoft identity platform, "OAuth 2.0 authorization code flow". */
const microsoft = (name: string, scope: string): Flow => {
  const base = ({ microsoft_login: login }: ProviderAddresses, client: OauthClient | null) =>
    `${login}/${encodeURIComponent(client?.tenantId ?? 'common')}/oauth2/v2.0`;
  return {
    family: 'microsoft',
    name,
    consent: (addresses, client) => `${base(addresses, client)}/authorize`,
    token: (addresses, client) => `${base(addresses, client)}/token`,
    consentQuery: { scope: `offline_access ${scope}`, prompt: 'select_account' },
    accountScope: 'openid profile email',
    asJson: false,
    takesChallenge: true,
  };
};

const flows = {
  slack: {
    family: 'slack',
    name: 'Slack',
    consent: ({ slack }) => `${slack}/oauth/v2/authorize`,
    token: ({ slack }) => `${slack}/api/oauth.v2.access`,
    consentQuery: { scope: 'channels:history,channels:read,groups:history,groups:read,users:read,files:read' },
    asJson: false,
    takesChallenge: false,
  },
  notion: {
    family: 'notion',
    name: 'Notion',
    consent: ({ notion }) => `${notion}/v1/oauth/authorize`,
    token: ({ notion }) => `${notion}/v1/oauth/token`,
    consentQuery: { owner: 'user' },
    asJson: true,
    takesChallenge: false,
  },
  google_drive: google('Google Drive', 'drive.readonly'),
  gmail: google('Gmail', 'gmail.readonly'),
  google_calendar: google('Google Calendar', 'calendar.readonly'),
  sharepoint: microsoft('SharePoint', 'Files.Read.All Sites.Read.All'),
  one_drive: microsoft('OneDrive', 'Files.Read.All'),
} as const satisfies Record<string, Flow>;

export type OauthProvider = keyof typeof flows;

/** Returns the OAuth application of a provider; null if it has no OAuth consent. */
export const oauthFamily = (provider: string): OauthFamily | null =>
  Object.hasOwn(flows, provider) ? flows[provider as OauthProvider].family : null;

/**
 * Returns the URL at which a person consents. `challenge`: base64url of the verifier's SHA-256 (PKCE, S256), if
 * supported.
 */
export const consentUrl = (
  addresses: ProviderAddresses,
  provider: OauthProvider,
  ask: {
    readonly client: OauthClient;
    readonly redirectUri: string;
    readonly state: string;
    readonly challenge: string;
  },
): string => {
  const flow: Flow = flows[provider];
  const url = new URL(flow.consent(addresses, ask.client));
  const query = {
    client_id: ask.client.clientId,
    redirect_uri: ask.redirectUri,
    response_type: 'code',
    state: ask.state,
    ...(flow.takesChallenge ? { code_challenge: ask.challenge, code_challenge_method: 'S256' } : {}),
    ...flow.consentQuery,
    ...(flow.accountScope === undefined ? {} : { scope: `${flow.consentQuery['scope'] ?? ''} ${flow.accountScope}` }),
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
};

const post = async (flow: Flow, url: string, client: OauthClient | null, body: Readonly<Record<string, string>>) => {
  const { clientId = '', clientSecret = '' } = client ?? {};
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const named = client === null ? {} : { client_id: clientId, client_secret: clientSecret };
  const request = flow.asJson
    ? { headers: { 'content-type': 'application/json', authorization: basic }, body: JSON.stringify(body) }
    : { body: new URLSearchParams({ ...body, ...named }) };
  try {
    return await fetch(url, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      ...request,
    });
  } catch (error) {
    throw new SourceFault('busy', `${flow.name} is unreachable`, { cause: error });
  }
};

/** Error codes after which a person must consent again, or that make a code useless. */
const refusals: ReadonlySet<string> = new Set([
  'invalid_grant',
  'invalid_refresh_token',
  'token_revoked',
  'invalid_code',
  'code_already_used',
  'bad_redirect_uri',
  'interaction_required',
  'consent_required',
]);

/** Transient error codes, of any HTTP status: Slack returns its own with 200. */
const transientCodes: ReadonlySet<string> = new Set([
  'fatal_error',
  'internal_error',
  'service_unavailable',
  'request_timeout',
  'ratelimited',
  'temporarily_unavailable',
  'server_error',
]);

/** Returns the JSON body; null if it is invalid or too long. */
const bodyOf = async (answer: Response): Promise<JsonObject | null> => {
  try {
    const bytes = await readBounded(answer.body, maxBytes, () => new Error('The response is too long'));
    return JSON.parse(new TextDecoder().decode(bytes)) as JsonObject;
  } catch {
    return null;
  }
};

/** Credentials of a grant, and their account. */
export interface Granted {
  readonly credentials: JsonObject;
  readonly account: string | null;
}

const readTokens = async (flow: Flow, answer: Response, now: Date): Promise<Granted> => {
  const body = await bodyOf(answer);
  const token = body === null ? '' : textAt(body, 'access_token');
  if (answer.ok && body !== null && token !== '') {
    const seconds = Number(body['expires_in'] ?? 0);
    const credentials = {
      type: 'oauth',
      token,
      ...(textAt(body, 'refresh_token') === '' ? {} : { refresh_token: textAt(body, 'refresh_token') }),
      ...(seconds > 0 ? { expires_at: laterBy(now, seconds * 1000).toISOString() } : {}),
    };
    return { credentials, account: accountName(body) };
  }
  const code = body === null ? '' : textAt(body, 'error');
  if (refusals.has(code)) throw new SourceFault('refused', `${flow.name} no longer grants access: connect it again`);
  if (transientCodes.has(code) || isTransientStatus(answer.status)) {
    const seconds = retryAfterSeconds(answer.headers.get('retry-after'), now);
    const status = answer.ok ? code : answer.status;
    throw new SourceFault('busy', `${flow.name} responded with ${status}`, { retryAfterSeconds: seconds });
  }
  throw new SourceFault('refused', `${flow.name} rejects the application of this deployment: ask its operator`);
};

/** Returns the OAuth scope of a provider. */
export const consentScope = (provider: OauthProvider): string => {
  const flow: Flow = flows[provider];
  return flow.consentQuery['scope'] ?? '';
};

/**
 * Exchanges a grant for credentials.
 * @param client Null if the grant itself identifies the client.
 */
export const redeemGrant = async (
  addresses: ProviderAddresses,
  provider: OauthProvider,
  grant: Readonly<Record<string, string>>,
  client: OauthClient | null,
  now: Date,
): Promise<JsonObject> => {
  const flow: Flow = flows[provider];
  return (await readTokens(flow, await post(flow, flow.token(addresses, client), client, grant), now)).credentials;
};

/**
 * Exchanges the code of a consent for its account and credentials: `token`, with `refresh_token` and `expires_at` if it
 * expires.
 */
export const exchangeCode = async (
  addresses: ProviderAddresses,
  provider: OauthProvider,
  ask: {
    readonly client: OauthClient;
    readonly redirectUri: string;
    readonly code: string;
    readonly verifier: string;
    readonly now: Date;
  },
): Promise<Granted> => {
  const flow: Flow = flows[provider];
  const body = {
    grant_type: 'authorization_code',
    code: ask.code,
    redirect_uri: ask.redirectUri,
    ...(flow.takesChallenge ? { code_verifier: ask.verifier } : {}),
  };
  return readTokens(flow, await post(flow, flow.token(addresses, ask.client), ask.client, body), ask.now);
};

/** Refreshes expired credentials by their `refresh_token`. */
export const refreshTokens = async (
  addresses: ProviderAddresses,
  provider: OauthProvider,
  credentials: JsonObject,
  client: OauthClient,
  now: Date,
): Promise<JsonObject> => {
  const flow: Flow = flows[provider];
  const refreshToken = textAt(credentials, 'refresh_token');
  const body = { grant_type: 'refresh_token', refresh_token: refreshToken };
  const { credentials: renewed } = await readTokens(
    flow,
    await post(flow, flow.token(addresses, client), client, body),
    now,
  );
  // Providers that do not rotate refresh tokens return none.
  return { refresh_token: refreshToken, ...renewed };
};
