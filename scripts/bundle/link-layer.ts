import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
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

/** Directories of the packages and of all that they depend on; types and what this machine did not install are left out. */
const installedClosure = async (projectDirectory: string, names: readonly string[]): Promise<ReadonlySet<string>> => {
  const found = new Set<string>();
  const visit = async (from: string, name: string, optional: boolean): Promise<void> => {
    const directory = findPackage(projectDirectory, from, name);
    if (directory === null && !optional) throw new Error(`${name} is not installed: run npm ci`);
    if (directory === null || found.has(directory)) return;
    found.add(directory);
    const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as Manifest;
    const { dependencies = {}, optionalDependencies = {} } = manifest;
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (!dependency.startsWith('@types/')) await visit(directory, dependency, dependency in optionalDependencies);
    }
  };
  for (const name of names) await visit(projectDirectory, name, false);
  return found;
};

const listFiles = async (directory: string): Promise<readonly string[]> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
};

/** What a package has of its own and needs at run time. */
const packageFiles = async (directory: string): Promise<readonly string[]> =>
  (await listFiles(directory)).filter((path) => {
    const inPackage = relative(directory, path);
    return !inPackage.split(sep).includes('node_modules') && !/\.(d\.[cm]?ts|map|md)$/.test(inPackage);
  });

/**
 * Fills a Lambda layer with installed packages and their dependencies, under `nodejs/node_modules` and otherwise where
 * they are in the project. Hard links, so it takes no room; files that are there already stay.
 * @throws Error where a package is not installed.
 */
export const linkLayer = async (layer: {
  readonly packages: readonly string[];
  readonly projectDirectory: string;
  readonly outputDirectory: string;
}): Promise<void> => {
  const { projectDirectory, outputDirectory } = layer;
  const root = join(outputDirectory, 'nodejs');
  const closure = [...(await installedClosure(projectDirectory, layer.packages))];
  const files = (await Promise.all(closure.map(packageFiles))).flat();
  const wanted = new Map(files.map((from) => [join(root, relative(projectDirectory, from)), from]));
  await Promise.all([...wanted].map(([to, from]) => linkFile(from, to)));
  const strays = (await listFiles(root)).filter((path) => !wanted.has(path));
  await Promise.all(strays.map((path) => rm(path)));
};
