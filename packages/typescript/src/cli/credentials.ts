import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Credentials {
  readonly url: string;
  readonly token: string;
}

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
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, `${JSON.stringify(credentials)}\n`, { mode: 0o600 });
  // The mode of writeFile applies only to a new file.
  await chmod(path, 0o600);
};
