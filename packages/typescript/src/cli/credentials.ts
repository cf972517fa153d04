import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '../create-client.ts';
import type { TokenRequest } from '../schema.ts';
import { StrataError } from '../strata-error.ts';
import { UsageError } from './command.ts';

/** Id under which the service knows this program. */
export const clientId = 'strata-cli';

/** An API key or session token, or the tokens of a login by browser. */
export interface Credentials {
  readonly url: string;
  readonly token: string;
  /** Only of a login by browser. */
  readonly renewal?: {
    readonly refreshToken: string;
    /** When the token expires, in milliseconds since 1970. */
    readonly expiresAtMs: number;
  };
}

/** Access tokens are renewed this long before they expire. */
const renewalMarginMs = 60_000;
const lockPollMs = 50;
/** Age after which a lock is that of a process that was killed. A renewal takes less. */
const maxLockMs = 60_000;

const configDirectory = (): string => {
  if (process.platform === 'win32') return process.env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming');
  return process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
};

/** File of `strata login`. */
export const credentialsPath = (): string => join(configDirectory(), 'strata', 'credentials.json');

/** Reads the stored credentials; null if there are none. */
export const readCredentials = async (): Promise<Credentials | null> => {
  const text = await readFile(credentialsPath(), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Credentials);
};

/** Stores credentials in a file that only its owner can read. */
export const storeCredentials = async (credentials: Credentials): Promise<void> => {
  const path = credentialsPath();
  const part = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(part, `${JSON.stringify(credentials)}\n`, { mode: 0o600 });
  await rename(part, path);
};

export const removeCredentials = (): Promise<void> => rm(credentialsPath(), { force: true });

/** Runs a function while no other process of the user does. */
const withLock = async <Value>(run: () => Promise<Value>): Promise<Value> => {
  const path = `${credentialsPath()}.lock`;
  for (;;) {
    const lock = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return null;
      throw error;
    });
    if (lock !== null) {
      await lock.close();
      break;
    }
    const found = await stat(path).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > maxLockMs) await rm(path, { force: true });
    await setTimeout(lockPollMs);
  }
  try {
    return await run();
  } finally {
    await rm(path, { force: true });
  }
};

/** Requests tokens of a login by browser. Throws StrataError. */
export const requestTokens = async (url: string, request: TokenRequest): Promise<Credentials> => {
  const startedMs = Date.now();
  const response = await createClient({ baseUrl: url, token: null }).post('/v1/oauth/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: { ...request, client_id: clientId },
  });
  const { access_token: token, refresh_token: refreshToken = '', expires_in: seconds } = response;
  return { url, token, renewal: { refreshToken, expiresAtMs: startedMs + seconds * 1000 } };
};

const isValid = ({ renewal }: Credentials): boolean =>
  renewal === undefined || Date.now() < renewal.expiresAtMs - renewalMarginMs;

/**
 * Renews the stored credentials of an address. A refresh token is valid once, and a second use ends the access, so one
 * process renews and the others read its result.
 */
const renew = (url: string): Promise<Credentials> =>
  withLock(async () => {
    const stored = await readCredentials();
    if (stored?.url !== url) throw new UsageError(`The login at ${url} has ended. Run \`strata login --url ${url}\`.`);
    if (stored.renewal === undefined || isValid(stored)) return stored;
    try {
      const request = { grant_type: 'refresh_token', refresh_token: stored.renewal.refreshToken };
      const renewed = await requestTokens(url, request);
      await storeCredentials(renewed);
      return renewed;
    } catch (error) {
      if (error instanceof StrataError && error.code === 'invalid_grant')
        throw new UsageError('The login has ended. Run `strata login`.', { cause: error });
      throw error;
    }
  });

/** Returns a function that resolves to the token of stored credentials, renewed if it is about to expire. */
export const tokenOf = (stored: Credentials): (() => Promise<string>) => {
  let current = stored;
  let renewing: Promise<Credentials> | null = null;
  return async () => {
    if (!isValid(current)) {
      renewing ??= renew(stored.url).finally(() => (renewing = null));
      current = await renewing;
    }
    return current.token;
  };
};
