import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as registry from '../functions/registry.ts';
import { assetFiles, layerAssets, layerPackages, type LayerAsset } from '../lib/assets.ts';
import { functionEntries, type FunctionEntry } from '../lib/functions.ts';
import type { Asset } from '../shared/kernel/sizing.ts';
import { buildConsole } from './build-console.ts';
import { refreshSite } from './build-site.ts';
import { bundleFunctions } from './bundle/bundle-functions.ts';
import type { Bundle, BundleEntry, BundleOrder } from './bundle/bundle-stamp.ts';
import { siteReaderProcess } from '../shared/platform/crawl/assets.ts';
import { readerProcess, tesseractWorker } from '#documents';
import { linkLayer } from './bundle/link-layer.ts';
import { projectDirectory } from './support/project-directory.ts';

/** Files of an asset. A directory counts as all files that it has when it is bundled. */
const filesOf = (asset: Exclude<Asset, LayerAsset>): BundleEntry['files'] =>
  assetFiles[asset].flatMap(({ from, to, except }) =>
    except === undefined
      ? [{ from, to }]
      : readdirSync(join(projectDirectory, from))
          .filter((name) => !except.includes(name))
          .map((name) => ({ from: `${from}/${name}`, to: `${to}/${name}` })),
  );

const isLayer = (asset: Asset): asset is LayerAsset => asset in layerPackages;

const bundleEntry = ({ id, source, assets }: FunctionEntry): BundleEntry => ({
  id,
  source,
  files: assets.flatMap((asset) => (isLayer(asset) ? [] : filesOf(asset))),
});

/** A guarded process or a thread, which functions start: no function of its own. */
const processEntry = (id: string, serve: string, path: string): BundleEntry => ({
  id,
  source: [`import { ${serve} } from '${path}';`, `${serve}(process.argv.slice(2));`, ''].join('\n'),
  files: [],
});

/** Bundles of all functions of the registry and of the processes that they start. */
export const functionBundles = (): BundleOrder => ({
  entries: [
    processEntry(readerProcess.id, 'serveReader', './packages/documents/src/extract/reader-process.ts'),
    processEntry(siteReaderProcess.id, 'serveSiteReader', './shared/platform/crawl/serve-site-reader.ts'),
    processEntry(tesseractWorker.id, 'serveTesseract', './packages/documents/src/ocr/tesseract-worker.ts'),
    ...functionEntries(registry).map(bundleEntry),
  ],
  projectDirectory,
  outputDirectory: join(projectDirectory, 'dist', 'functions'),
});

/**
 * Brings `dist/functions/<id>` and `dist/layers/<asset>` up to date with the registry, the sources and the installed
 * packages. Resolves to the bundles with their sizes; throws esbuild's errors.
 * @param options `fetchesNative`: whether layers get native packages for Lambda from the registry if this machine has
 *   those of another platform. A run on one machine uses its own and needs none.
 */
export const bundleProject = async ({ fetchesNative = false } = {}): Promise<readonly Bundle[]> => {
  await Promise.all([buildConsole(), refreshSite()]);
  const [bundles] = await Promise.all([
    bundleFunctions(functionBundles()),
    ...layerAssets.map((asset) =>
      linkLayer({
        packages: layerPackages[asset],
        projectDirectory,
        outputDirectory: join(projectDirectory, 'dist', 'layers', asset),
        fetchesNative,
      }),
    ),
  ]);
  return bundles;
};

if (import.meta.main) {
  const startedAt = performance.now();
  const bundles = await bundleProject({ fetchesNative: true });
  const megabytes = bundles.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  const seconds = (performance.now() - startedAt) / 1000;
  console.error(`${bundles.length} functions bundled, ${megabytes.toFixed(1)} MB, ${seconds.toFixed(1)} s`);
}
