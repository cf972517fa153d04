import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

const tokenPrefixes = {
  api_key: 'svc_live_',
  access_token: 'svc_at_',
  session: 'svc_sess_',
  client_secret: 'svc_secret_',
  authorization_code: 'svc_code_',
  refresh_token: 'svc_rt_',
} as const;

type TokenKind = keyof typeof tokenPrefixes;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const base62 = (value: bigint, length: number): string => {
  let rest = value;
  let digits = '';
  for (let place = 0; place < length; place += 1) {
    digits = `${alphabet[Number(rest % 62n)] ?? ''}${digits}`;
    rest /= 62n;
  }
  return digits;
};

const checksum = (random: string): string => base62(BigInt(crc32(random)), 6);

/**
 * Returns a secret value: prefix, 256 random bits as 43 base62 characters, and their CRC-32 as 6 characters.
 * @param secret 32 random bytes.
 */
export const newToken = (kind: TokenKind, secret: Buffer): string => {
  const random = base62(BigInt(`0x${secret.toString('hex')}`), 43);
  return `${tokenPrefixes[kind]}${random}${checksum(random)}`;
};

/** Whether a value has the form of one of these kinds, checksum included. Any other value is refused without a read. */
export const isToken = (value: string, ...kinds: readonly TokenKind[]): boolean => {
  const kind = kinds.find((name) => value.startsWith(tokenPrefixes[name]));
  if (kind === undefined) return false;
  const rest = value.slice(tokenPrefixes[kind].length);
  return /^[0-9A-Za-z]{49}$/.test(rest) && checksum(rest.slice(0, 43)) === rest.slice(43);
};

const kindNames: Readonly<Record<TokenKind, string>> = {
  api_key: 'API key',
  access_token: 'access token',
  session: 'session token',
  client_secret: 'client secret',
  authorization_code: 'authorization code',
  refresh_token: 'refresh token',
};

/** Returns the name of the kind of secret value by its prefix; null for any other text. */
export const kindNameOf = (value: string): string | null => {
  const kind = (Object.keys(tokenPrefixes) as TokenKind[]).find((name) => value.startsWith(tokenPrefixes[name]));
  return kind === undefined ? null : kindNames[kind];
};

/** Returns the SHA-256 of a secret value in hex, the only form in which it is stored. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Returns the first 16 characters of a secret value, which lists show. */
export const shownPrefix = (token: string): string => token.slice(0, 16);
