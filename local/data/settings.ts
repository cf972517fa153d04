import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const schema = z.object({
  /** Port of the AWS endpoint: presigned addresses name it, so it stays the same where it can. */
  awsPort: z.int().nullable().default(null),
  /** The key pair that functions sign with; it differs from one data directory to the next. */
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
  /** Private key of the local identity provider, as a JWK. */
  identityKey: z.record(z.string(), z.unknown()).nullable().default(null),
  /** What the first start made through the public API. */
  welcome: z
    .object({
      organizationId: z.string(),
      apiKey: z.string(),
      sessionToken: z.string(),
      sessionExpiresAt: z.string(),
    })
    .nullable()
    .default(null),
});

/** What the local run remembers from one start to the next. */
export type Settings = z.output<typeof schema>;

/** Credentials of the organization that the first start made. */
export type Welcome = NonNullable<Settings['welcome']>;

/** Settings of one data directory; they hold secrets, so their file is the owner's alone. */
export interface SettingsFile {
  readonly read: () => Settings;
  readonly change: (changed: Partial<Settings>) => void;
}

const fresh = (): z.input<typeof schema> => ({
  accessKeyId: `LOCAL${randomBytes(8).toString('hex').toUpperCase().slice(0, 15)}`,
  secretAccessKey: randomBytes(30).toString('base64url'),
});

/** Opens the settings of a data directory, new ones where there are none. @throws Error when the file is damaged. */
export const openSettings = (directory: string): SettingsFile => {
  const file = join(directory, 'settings.json');
  const stored = (): unknown => {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as unknown;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
        return fresh();
      }
      throw new Error(`${file} is damaged; delete it, or start with another data directory`, { cause: error });
    }
  };
  let settings = schema.parse(stored());
  const change = (changed: Partial<Settings>): void => {
    settings = { ...settings, ...changed };
    writeFileSync(`${file}.new`, JSON.stringify(settings, null, 2), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  change({});
  return { read: () => settings, change };
};
