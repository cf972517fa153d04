import { copyFileSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { projectDirectory } from '../../../../scripts/support/project-directory.ts';

/** Folder of the service on one machine as JavaScript. Paths of `projectDirectory` and of the runtimes hold there too. */
export const hostDirectory = join(projectDirectory, 'dist', 'local-cloud');

const source = join(import.meta.dirname, '..');

/** Runtimes of functions, which the service starts as files of their own. */
const runtimes = ['bootstrap.mjs', 'shared-bootstrap.mjs'].map((name) => join(source, 'host', name));

/** Name at the start of the path of an import, if it is of a package. */
const packageName = /^(?!node:|file:)(?:@[^/]+\/)?[^/.]+/;

/** Leaves out what only `--watch` needs: the builds, with all that they depend on. */
const watchFromSources: Plugin = {
  name: 'watch',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /\/follow-sources\.ts$/ }, ({ resolveDir, path }) => ({
      path: pathToFileURL(join(resolveDir, path)).href,
      external: true,
    }));
  },
};

/** Reads the runtime of models from the layer of functions. An installation of its package would download far more. */
const runtimeFromLayer: Plugin = {
  name: 'layer',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /^onnxruntime-node$/ }, ({ path }) => ({
      path: `../layers/onnx/nodejs/node_modules/${path}/dist/index.js`,
      external: true,
    }));
  },
};

/**
 * Bundles the service on one machine: it then starts in half the time and with 60 MB less, since no types
 * are stripped.
 * `start.mjs` uses the bundle while none of its sources has changed. Resolves to the packages that it imports.
 */
export const bundleHost = async (): Promise<readonly string[]> => {
  // Loaded here, since few importers of this package build.
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: projectDirectory,
    entryPoints: [join(source, 'start.ts'), join(source, 'tables', 'serve-worker.ts')],
    outdir: `${hostDirectory}.new`,
    entryNames: '[name]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    packages: 'external',
    plugins: [watchFromSources, runtimeFromLayer],
    metafile: true,
    logLevel: 'silent',
  });
  const directory = `${hostDirectory}.new`;
  for (const file of runtimes) copyFileSync(file, join(directory, basename(file)));
  const inputs = [...Object.keys(metafile.inputs).map((path) => join(projectDirectory, path)), ...runtimes];
  const stamp = inputs.map((path) => {
    const { mtimeMs, size } = statSync(path);
    return [path, mtimeMs, size];
  });
  writeFileSync(join(directory, 'stamp.json'), JSON.stringify(stamp));
  mkdirSync(hostDirectory, { recursive: true });
  rmSync(hostDirectory, { recursive: true });
  renameSync(directory, hostDirectory);
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  return [...new Set(imported.flatMap((path) => packageName.exec(path)?.[0] ?? []))];
};

if (import.meta.main) await bundleHost();
