import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { readAssembly } from '../assembly/read-assembly.ts';
import { packed } from './packed.ts';
import { sourceStamp } from './source-stamp.ts';
import { projectDirectory } from '../../../../scripts/support/project-directory.ts';

/** Target directory of a build, and the options of its synthesis. */
export interface BuildOptions {
  readonly directory: string;
  readonly stamp: string;
  readonly deployment: string;
  readonly regions: readonly string[];
  /** Further embedding models, as the context of the same name. */
  readonly embeddingModels: readonly unknown[];
  /** Reranker, as the context of the same name. */
  readonly reranker?: unknown;
}

/** Whether `directory` holds the assembly of exactly these sources, and its code is still there. */
export const isBuilt = (directory: string, stamp: string): boolean => {
  try {
    return (
      readFileSync(join(directory, 'stamp'), 'utf8') === stamp &&
      [...readAssembly(directory).assetDirectories.values()].every((asset) => existsSync(asset))
    );
  } catch {
    return false;
  }
};

const buildFile = join('packages', 'local-cloud', 'src', 'build', 'build-assembly.ts');

/** Builds in a separate process, whose exit frees its memory: the CDK takes more than the running service. */
const build = (options: BuildOptions, onProgress: (phase: string) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(projectDirectory, buildFile), JSON.stringify(options)], {
      cwd: projectDirectory,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errors = '';
    createInterface({ input: child.stdout }).on('line', onProgress);
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) {
        resolve();
      } else {
        reject(new Error(`the functions could not be built:\n${errors.trim()}`));
      }
    });
  });

/**
 * Resolves to the cloud assembly of the present sources. It is built only if they have changed since the last build.
 * The assembly belongs to the project, not to a data directory.
 */
export const prepareAssembly = async (options: {
  readonly deployment: string;
  readonly regions: readonly string[];
  readonly embeddingModels?: readonly unknown[];
  readonly reranker?: unknown;
  readonly onProgress: (phase: string) => void;
}): Promise<string> => {
  const { deployment, regions, embeddingModels = [], reranker, onProgress } = options;
  const directory = join(projectDirectory, 'dist', 'local', `${deployment}-${regions.join('-')}`);
  if (packed !== null) {
    if (regions.join() === packed.regions.join() && embeddingModels.length === 0 && reranker === undefined)
      return directory;
    const given = `the templates of ${packed.regions.join()}, and of the built-in model`;
    throw new Error(`this package has ${given}: start from a checkout for others`);
  }
  const stamp = sourceStamp(projectDirectory, { deployment, regions, embeddingModels, reranker });
  if (!isBuilt(directory, stamp)) {
    mkdirSync(join(projectDirectory, 'dist', 'local'), { recursive: true });
    onProgress('loading the build');
    await build({ directory, stamp, deployment, regions, embeddingModels, reranker }, onProgress);
  }
  return directory;
};
