import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { isMissingFile } from './missing-file.ts';

/** Format of a data directory. It is raised if another version would misread data that this version writes. */
const dataFormat = 4;

const schema = z.object({
  format: z.literal(dataFormat),
  /** Port of the AWS endpoint. Presigned addresses contain it, so it stays the same if it is free. */
  awsPort: z.int().min(0).max(65_535).nullable().default(null),
  /** Regions of the data since its first start. The first is home. */
  regions: z.array(z.string()).default([]),
  /** Where the tables of indexes lie: in a directory, or in a bucket of the endpoint. Null before the first start. */
  indexTables: z.enum(['directory', 'bucket']).nullable().default(null),
  /** Key pair of the operator, from which those of functions are derived. Each data directory has its own. */
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
  /** Private key of the local identity provider, as a JWK. */
  identityKey: z.record(z.string(), z.unknown()).nullable().default(null),
  /** Issuer of the local identity provider. It does not follow the port, since users are identified by it. */
  identityIssuer: z.string().nullable().default(null),
  /** Credentials that the first start created through the public API. */
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

/** Settings that persist from one start to the next. */
export type Settings = z.output<typeof schema>;

/** Credentials of the organization that the first start created. */
export type Welcome = NonNullable<Settings['welcome']>;

/** Settings of one data directory. They hold secrets, so only the owner may read the file. */
export interface SettingsFile {
  readonly file: string;
  readonly read: () => Settings;
  readonly change: (changed: Partial<Settings>) => void;
}

const fresh = (): z.input<typeof schema> => ({
  format: dataFormat,
  accessKeyId: `LOCAL${randomBytes(8).toString('hex').toUpperCase().slice(0, 15)}`,
  secretAccessKey: randomBytes(30).toString('base64url'),
});

const damaged = (file: string, state: string, cause: unknown): Error => {
  const advice =
    'restore a copy of it, because nothing else gives access to its organization, or start with an empty folder by --data';
  return new Error(`${file} ${state}: ${advice}`, { cause });
};

const readFile = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (!isMissingFile(error)) throw damaged(file, 'is damaged', error);
    if (existsSync(join(dirname(file), 'tables'))) throw damaged(file, 'is missing beside existing data', error);
    return fresh();
  }
};

const readSettings = (file: string): Settings => {
  const stored = readFile(file);
  // Read before the rest, which another version may write in another format.
  const { data: stamp } = z.object({ format: z.int() }).safeParse(stored);
  if (stamp !== undefined && stamp.format !== dataFormat)
    throw new Error(
      `this data has format ${stamp.format} and this version knows ${dataFormat}: start the version that wrote it, or choose another directory with --data`,
    );
  const settings = schema.safeParse(stored);
  if (!settings.success) throw damaged(file, 'is damaged', settings.error);
  return settings.data;
};

/**
 * Opens the settings of a data directory, or creates them.
 * @throws Error in one line if the file is damaged, or missing beside existing data, or another version wrote the data in another format.
 */
export const openSettings = (directory: string): SettingsFile => {
  const file = join(directory, 'settings.json');
  let settings = readSettings(file);
  const change = (changed: Partial<Settings>): void => {
    settings = { ...settings, ...changed };
    writeFileSync(`${file}.new`, JSON.stringify(settings, null, 2), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  change({});
  return { file, read: () => settings, change };
};

/**
 * Stores where the tables of indexes lie.
 * @throws Error in one line if the data directory has them in the other place.
 */
export const keepIndexTables = (settings: SettingsFile, place: NonNullable<Settings['indexTables']>): void => {
  const { indexTables } = settings.read();
  if (indexTables !== null && indexTables !== place)
    throw new Error(
      indexTables === 'bucket'
        ? 'this data was begun with --aws-shape: start with it again, or choose another directory with --data'
        : 'this data was begun without --aws-shape: start without it, or choose another directory with --data',
    );
  settings.change({ indexTables: place });
};

/**
 * Stores the regions of a data directory.
 * @throws Error in one line if the home region differs from before, or a region is missing: its indexes would be listed
 *   but not be there.
 */
export const keepRegions = (settings: SettingsFile, regions: readonly string[]): void => {
  const { regions: known } = settings.read();
  const isMissing = known.some((region) => !regions.includes(region));
  if (known.length > 0 && (isMissing || known[0] !== regions[0]))
    throw new Error(`this data lives in ${known.join(', ')}: start with --regions ${known.join(',')}`);
  settings.change({ regions: [...regions] });
};
