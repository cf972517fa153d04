import { requireJson } from './json-body.ts';

/** Token of an end user to create. */
export interface UserToken {
  /** Value of the API key, which begins with `svc_live_`. It stays on your server. */
  readonly key: string;
  /** Id of the API key, from its creation or a list. */
  readonly keyId: string;
  /** Indexes that the end user may search, among those of the key. */
  readonly indexIds: readonly string[];
  /** Metadata filter of the rows that the end user sees, besides that of the key. Null: all rows of the key. */
  readonly filter: Readonly<Record<string, unknown>> | null;
  /** Seconds for which the token is valid: at most a day, and an hour if absent. */
  readonly expiresInSeconds?: number;
}

const hourSeconds = 3_600;
const daySeconds = 24 * hourSeconds;
const maxCharacters = 4_096;

const encoder = new TextEncoder();

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Returns the HMAC key that derives from an API key. */
const signingKeyOf = async (key: string) => {
  const material = await crypto.subtle.importKey('raw', encoder.encode(key), 'HKDF', false, ['deriveKey']);
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode('user token v1') },
    material,
    { name: 'HMAC', hash: 'SHA-256', length: 256 },
    false,
    ['sign'],
  );
};

/**
 * Creates a token with which the page of an end user searches, and does nothing else. It needs no request: the service
 * verifies it by the API key, and it ends with that. Throws TypeError for a filter that JSON cannot contain, for a time of
 * more than a day, and for a token of more than 4,096 characters.
 */
export const createUserToken = async ({
  key,
  keyId,
  indexIds,
  filter,
  expiresInSeconds = hourSeconds,
}: UserToken): Promise<string> => {
  if (!(expiresInSeconds > 0 && expiresInSeconds <= daySeconds))
    throw new TypeError(`expiresInSeconds is ${expiresInSeconds}, and a token is valid for at most ${daySeconds} s`);
  requireJson(filter);
  const iat = Math.floor(Date.now() / 1000);
  const claims = { key_id: keyId, iat, exp: iat + Math.ceil(expiresInSeconds), filter, index_ids: indexIds };
  const signed = `svc_ut_${base64url(encoder.encode(JSON.stringify(claims)))}`;
  const mac = await crypto.subtle.sign('HMAC', await signingKeyOf(key.trim()), encoder.encode(signed));
  const token = `${signed}.${base64url(new Uint8Array(mac))}`;
  if (token.length > maxCharacters)
    throw new TypeError(`The token has ${token.length} characters, and at most ${maxCharacters} are accepted`);
  return token;
};
