import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOf } from './bundle/place-file.ts';
import { projectDirectory } from './support/project-directory.ts';

/** Directory of the built console: its page, and files whose names contain a hash of their content. */
const consoleDirectory = join(projectDirectory, 'dist', 'console');

const stampFile = join(projectDirectory, 'dist', 'console-stamp');

/** Digest of all inputs of the console. The lock file represents the installed packages. */
const sourceDigest = async (): Promise<string> => {
  const listed = await Promise.all(
    ['console', join('packages', 'typescript', 'src'), join('shared', 'http'), join('shared', 'kernel')].map(
      (directory) => readdir(join(projectDirectory, directory), { recursive: true, withFileTypes: true }),
    ),
  );
  const files = listed.flat().filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
  const digests = await Promise.all(
    [...paths, join(projectDirectory, 'package-lock.json')].map(async (path) => [path, digestOf(await readFile(path))]),
  );
  return digestOf(JSON.stringify(digests));
};

/** Builds the console, unless its sources are those of the last build. */
export const buildConsole = async (): Promise<void> => {
  const digest = await sourceDigest();
  const built = existsSync(join(consoleDirectory, 'index.html'))
    ? await readFile(stampFile, 'utf8').catch(() => '')
    : '';
  if (built === digest) return;
  const { build } = await import('vite');
  await build({ configFile: join(projectDirectory, 'console', 'vite.config.ts'), logLevel: 'warn' });
  await writeFile(stampFile, digest);
};

if (import.meta.main) await buildConsole();
