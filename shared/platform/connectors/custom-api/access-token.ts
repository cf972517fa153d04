import { laterBy } from '../../../kernel/clock.ts';
import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { SourceFault } from '../port.ts';
import type { PublicGet } from '../public-http.ts';
import { textAt } from '../read-text.ts';
import type { Description, OauthClient } from './pages.ts';

/** Maximum size of a token response; tokens take a few kilobytes. */
const maxBytes = 256 * 1024;
const timeoutMs = 15_000;

const oauthClientOf = (credentials: JsonObject): OauthClient | null => {
  const { auth } = credentials as unknown as Pick<Description, 'auth'>;
  return auth.type === 'oauth_client_credentials' ? auth : null;
};

/** Whether the description of an API needs an access token and has none. */
export const lacksAccessToken = (credentials: JsonObject): boolean =>
  isObject(credentials['auth']) && oauthClientOf(credentials) !== null && textAt(credentials, 'access_token') === '';

const rejected = (cause: unknown): SourceFault =>
  new SourceFault(
    'refused',
    'The token endpoint rejects the client: check `token_url`, `client_id`, `client_secret` and `scope`',
    { cause },
  );

const requestOf = (client: OauthClient) => {
  const { client_id: id, client_secret: secret, scope, client_authentication: place } = client;
  const isBasic = place === 'basic';
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope === null ? {} : { scope }),
    ...(isBasic ? {} : { client_id: id, client_secret: secret }),
  });
  // Both parts are form-encoded. Source: RFC 6749, 2.3.1.
  const basic = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64');
  return {
    url: client.token_url,
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(isBasic ? { authorization: `Basic ${basic}` } : {}),
    },
    body: body.toString(),
    maxBytes,
    timeoutMs,
    followsRedirects: false,
  } as const;
};

/**
 * Gets an access token for an API by the client credentials of its description. Null if it needs none. Returns the
 * description with token and end. Throws a `SourceFault`.
 */
export const withAccessToken = async (
  get: PublicGet,
  credentials: JsonObject,
  now: Date,
): Promise<JsonObject | null> => {
  const client = oauthClientOf(credentials);
  if (client === null) return null;
  const response = await get(requestOf(client), now).catch((error: unknown) => {
    throw error instanceof SourceFault && error.kind !== 'busy' ? rejected(error) : error;
  });
  if (response === null) throw rejected(null);
  const { expires_at: _, ...description } = credentials;
  try {
    const body = JSON.parse(Buffer.from(response.bytes).toString()) as JsonObject;
    const token = textAt(body, 'access_token');
    if (!/^[\x21-\x7e]+$/.test(token)) throw rejected(null);
    const seconds = Number(body['expires_in'] ?? 0);
    const end = seconds > 0 ? { expires_at: laterBy(now, seconds * 1000).toISOString() } : {};
    return { ...description, access_token: token, ...end };
  } catch (error) {
    throw error instanceof SourceFault ? error : rejected(error);
  }
};
