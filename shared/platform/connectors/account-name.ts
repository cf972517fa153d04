import type { JsonObject } from '../../kernel/json.ts';
import { textAt } from './read-text.ts';

/**
 * Returns the payload of an ID token, unverified: it came from the provider over TLS. Source: OpenID Connect Core,
 * 3.1.3.7.
 */
const payloadOf = (idToken: string): JsonObject => {
  try {
    return JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString('utf8')) as JsonObject;
  } catch {
    return {};
  }
};

/**
 * Returns the account that consented: a Slack team, a Notion workspace, or an address at Google or Microsoft; null if the
 * response names none.
 */
export const accountName = (body: JsonObject): string | null => {
  const team = body['team'];
  const idToken = payloadOf(textAt(body, 'id_token'));
  const names = [
    textAt(body, 'workspace_name'),
    typeof team === 'object' && team !== null && !Array.isArray(team) ? textAt(team as JsonObject, 'name') : '',
    textAt(idToken, 'email'),
    textAt(idToken, 'preferred_username'),
  ];
  return names.find((name) => name !== '') ?? null;
};
