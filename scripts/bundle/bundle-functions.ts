import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build, version, type BuildOptions, type BuildResult, type Plugin } from 'esbuild';
import { freshBundles, writeStamp, type Bundle, type BundleOrder } from './bundle-stamp.ts';
import { digestOf, linkFile, writeIfChanged } from './place-file.ts';

const namespace = 'entry';

/** Serves the text of each entry as a module in the project's root. */
const entryModules = ({ entries, projectDirectory }: BundleOrder): Plugin => ({
  name: 'entries',
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /^entry:/ }, ({ path }) => ({ path: path.slice('entry:'.length), namespace }));
    pluginBuild.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: entries.find(({ id }) => id === path)?.source ?? '',
      loader: 'ts',
      resolveDir: projectDirectory,
    }));
  },
});

const optionsFor = ({ entries, projectDirectory, outputDirectory }: BundleOrder) =>
  ({
    absWorkingDir: projectDirectory,
    entryPoints: entries.map(({ id }) => ({ in: `entry:${id}`, out: `${id}/index` })),
    outdir: outputDirectory,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    // Layers bring the SDK, the engine and the runtime of models.
    external: ['@aws-sdk/*', '@lancedb/lancedb', 'apache-arrow', 'onnxruntime-node'],
    // Layers are found through NODE_PATH, which `require` honours and `import()` does not.
    supported: { 'dynamic-import': false },
    define: {
      'import.meta.url': 'bundleUrl',
      'import.meta.dirname': '__dirname',
      'import.meta.filename': '__filename',
    },
    banner: { js: 'const bundleUrl = require("node:url").pathToFileURL(__filename).href;' },
    // Names stay, so that a stack trace in a log can be read without a map.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'linked',
    metafile: true,
    write: false,
    logLevel: 'silent',
  }) as const satisfies BuildOptions;

type Built = BuildResult<ReturnType<typeof optionsFor>>;

const bundlesOf = (order: BundleOrder, outputs: Built['metafile']['outputs']): Bundle[] =>
  order.entries.map(({ id }) => {
    const output = Object.values(outputs).find(({ entryPoint }) => entryPoint === `${namespace}:${id}`);
    if (!output) throw new Error(`esbuild made no bundle of ${id}`);
    const parts = Object.entries(output.inputs).map(([path, { bytesInOutput }]) => ({ path, bytes: bytesInOutput }));
    return {
      id,
      bytes: output.bytes,
      largestParts: parts.toSorted((a, b) => b.bytes - a.bytes).slice(0, 6),
      sources: parts
        .map(({ path }) => path)
        .filter((path) => !path.startsWith(`${namespace}:`) && !path.includes('node_modules/')),
    };
  });

const removeOthers = async ({ entries, outputDirectory }: BundleOrder): Promise<void> => {
  const wanted = new Set(entries.map(({ id }) => id));
  const present = await readdir(outputDirectory, { withFileTypes: true });
  const strays = present.filter((found) => found.isDirectory() && !wanted.has(found.name));
  await Promise.all(strays.map(({ name }) => rm(join(outputDirectory, name), { recursive: true, force: true })));
};

/**
 * Builds entries of an order, and writes the files that differ from those in place.
 * @throws esbuild's `BuildFailure` with all errors of the sources.
 */
export const buildBundles = async (order: BundleOrder): Promise<readonly Bundle[]> => {
  const { entries, projectDirectory, outputDirectory } = order;
  const { outputFiles, metafile } = await build({ ...optionsFor(order), plugins: [entryModules(order)] });
  await mkdir(outputDirectory, { recursive: true });
  await Promise.all(outputFiles.map(({ path, contents }) => writeIfChanged(path, contents)));
  for (const { id, files } of entries) {
    const pairs = files.map(({ from, to }) => [join(projectDirectory, from), join(outputDirectory, id, to)] as const);
    await Promise.all(pairs.map(([from, to]) => linkFile(from, to)));
  }
  return bundlesOf(order, metafile.outputs);
};

/**
 * Bundles all entries with one call of esbuild, each into `<id>/index.cjs` (CommonJS for Node.js 24), and puts their
 * files beside them. Does nothing when no input has changed since the last time. Files are replaced one by one and
 * whole, and only where they differ, so a second build and running functions may use the directory meanwhile.
 *
 * @returns Size, largest parts and sources of each bundle, in the order of `entries`.
 * @throws esbuild's `BuildFailure` with all errors of the sources.
 */
export const bundleFunctions = async (order: BundleOrder): Promise<readonly Bundle[]> => {
  const key = digestOf(JSON.stringify([version, optionsFor(order), order.entries]));
  const fresh = await freshBundles(order, key);
  if (fresh) return fresh;
  const bundles = await buildBundles(order);
  await removeOthers(order);
  await writeStamp(order, key, bundles);
  return bundles;
};
