import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fetchPackage, isForLambda, lambdaPlatform, readLock } from './locked-package.ts';
import { linkFile } from './place-file.ts';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Where `name` is installed for a package in `directory`, by the rule of Node.js; null where it is not. */
const findPackage = (projectDirectory: string, directory: string, name: string): string | null => {
  const place = join(directory, 'node_modules', name);
  if (existsSync(join(place, 'package.json'))) return place;
  if (directory === projectDirectory) return null;
  return findPackage(projectDirectory, join(directory, '..'), name);
};

interface Platform {
  readonly os: string;
  readonly cpu: string;
}

/** Dependencies that only the installation of a package uses. */
const installOnly: ReadonlySet<string> = new Set(['adm-zip', 'global-agent']);

interface Layer {
  readonly packages: readonly string[];
  readonly projectDirectory: string;
  readonly outputDirectory: string;
  /**
   * Whether the layer is for Lambda. Native packages that this machine has not installed are then fetched. Otherwise it
   * is for this machine, and they are left out.
   */
  readonly fetchesNative: boolean;
}

/**
 * Directories of the packages and of all that they depend on, by their place in the project. Types and packages that are
 * not in the lock file are left out. Native packages are those of the platform of functions: on a machine of another one
 * they come from the registry.
 */
const packageClosure = async ({
  projectDirectory,
  packages: names,
  fetchesNative,
}: Layer): Promise<ReadonlyMap<string, string>> => {
  const locked = await readLock(projectDirectory);
  const found = new Map<string, string>();
  const addNative = async (name: string): Promise<void> => {
    const place = `node_modules/${name}`;
    const entry = locked[place];
    if (entry === undefined || !isForLambda(entry)) return;
    const installed = join(projectDirectory, place);
    const cache = join(projectDirectory, 'dist', 'packages');
    if (existsSync(installed)) found.set(installed, installed);
    else if (fetchesNative) found.set(installed, await fetchPackage(name, entry, cache));
  };
  const isNative = (name: string): boolean => locked[`node_modules/${name}`]?.os !== undefined;
  const visit = async (from: string, name: string, optional: boolean): Promise<void> => {
    const directory = findPackage(projectDirectory, from, name);
    if (directory === null && !optional) throw new Error(`${name} is not installed: run npm ci`);
    if (directory === null || found.has(directory)) return;
    found.set(directory, directory);
    const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as Manifest;
    const { dependencies = {}, optionalDependencies = {} } = manifest;
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const isOptional = dependency in optionalDependencies;
      if (installOnly.has(dependency)) continue;
      if (isOptional && isNative(dependency)) await addNative(dependency);
      else if (!dependency.startsWith('@types/')) await visit(directory, dependency, isOptional);
    }
  };
  for (const name of names) await visit(projectDirectory, name, false);
  return found;
};

const listFiles = async (directory: string): Promise<readonly string[]> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
};

/** Native files of one platform in a package that has those of several. */
const platformFiles = /(?:^|\/)(?<os>darwin|linux|win32)\/(?<cpu>arm64|x64)\//;

/** Returns the files of a package, without its dependencies, that it needs at run time on a platform. */
const packageFiles = async (directory: string, platform: Platform): Promise<readonly string[]> =>
  (await listFiles(directory)).filter((path) => {
    const inPackage = relative(directory, path);
    const { os, cpu } = platformFiles.exec(inPackage.replaceAll(sep, '/'))?.groups ?? platform;
    const isOfPlatform = os === platform.os && cpu === platform.cpu;
    return isOfPlatform && !inPackage.split(sep).includes('node_modules') && !/\.(d\.[cm]?ts|map|md)$/.test(inPackage);
  });

/**
 * Fills a Lambda layer with installed packages and their dependencies, under `nodejs/node_modules` and otherwise where
 * they are in the project. Hard links, so it takes no room; files that are there already stay.
 * @throws Error where a package is not installed.
 */
export const linkLayer = async (layer: Layer): Promise<void> => {
  const { projectDirectory, outputDirectory } = layer;
  const root = join(outputDirectory, 'nodejs');
  const platform: Platform = layer.fetchesNative ? lambdaPlatform : { os: process.platform, cpu: process.arch };
  const wanted = new Map<string, string>();
  for (const [place, directory] of await packageClosure(layer))
    for (const from of await packageFiles(directory, platform))
      wanted.set(join(root, relative(projectDirectory, place), relative(directory, from)), from);
  await Promise.all([...wanted].map(([to, from]) => linkFile(from, to)));
  const strays = (await listFiles(root)).filter((path) => !wanted.has(path));
  await Promise.all(strays.map((path) => rm(path)));
};
