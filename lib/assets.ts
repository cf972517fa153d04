import { basename } from 'node:path';
import { embeddedModelFiles, englishModel, multilingualModel } from '../shared/platform/models/assets.ts';
import { embeddedRerankerFiles } from '../shared/platform/rerank/names.ts';
import { siteReaderProcess } from '../shared/platform/crawl/assets.ts';
import {
  ownTesseractFiles,
  readerFiles,
  readerProcess,
  tesseractWorker,
  tesseractFiles,
  transcriptionProcess,
} from '#documents';
import type { Asset } from '../shared/kernel/sizing.ts';

/** Assets that are Lambda layers, with their packages. Dependencies of the packages are included. */
export const layerPackages = {
  engine: ['@lancedb/lancedb', 'apache-arrow'],
  onnx: ['onnxruntime-node'],
  // The versions of the lock file, with which the tests run, instead of those of the Lambda runtime.
  sdk: [
    '@aws-sdk/client-bedrock-agent-runtime',
    '@aws-sdk/client-bedrock-runtime',
    '@aws-sdk/client-eventbridge',
    '@aws-sdk/client-lambda',
    '@aws-sdk/client-s3',
    '@aws-sdk/client-sqs',
    '@aws-sdk/client-ssm',
    '@aws-sdk/client-sts',
    '@aws-sdk/client-textract',
    '@aws-sdk/client-transcribe',
    '@aws-sdk/s3-request-presigner',
    '@aws-sdk/util-dynamodb',
  ],
} as const satisfies Partial<Record<Asset, readonly string[]>>;

export type LayerAsset = keyof typeof layerPackages;

export const layerAssets = Object.keys(layerPackages) as readonly LayerAsset[];

/** File, or directory of files, that is deployed beside a bundle. */
interface AssetFile {
  /** Relative to the project's root. */
  readonly from: string;
  /** Relative to the directory of the bundle. */
  readonly to: string;
  /** Files of the directory that are not deployed. */
  readonly except?: readonly string[];
}

/** Files of packages keep their paths, so that `node_modules` can replace the directory of a bundle. */
const fromPackages = (files: readonly string[]): readonly AssetFile[] =>
  files.map((file) => ({ from: `node_modules/${file}`, to: file }));

/** A file that the function serves unchanged. */
const inPublic = (file: string): AssetFile => ({ from: file, to: `public/${basename(file)}` });

/** Files of every asset that is not a layer. */
export const assetFiles: Readonly<Record<Exclude<Asset, LayerAsset>, readonly AssetFile[]>> = {
  readers: [
    ...fromPackages(Object.values(readerFiles)),
    { from: `dist/functions/${readerProcess.id}/index.cjs`, to: readerProcess.file },
  ],
  'site-reader': [{ from: `dist/functions/${siteReaderProcess.id}/index.cjs`, to: siteReaderProcess.file }],
  'embedding-model': embeddedModelFiles[englishModel].map((file) => ({ from: file, to: file })),
  'multilingual-model': embeddedModelFiles[multilingualModel].map((file) => ({ from: file, to: file })),
  'reranker-model': embeddedRerankerFiles.map((file) => ({ from: file, to: file })),
  ocr: [
    ...fromPackages(Object.values(tesseractFiles).flat()),
    ...ownTesseractFiles.map((file) => ({ from: `models/${file}`, to: `models/${file}` })),
    { from: `dist/functions/${tesseractWorker.id}/index.cjs`, to: tesseractWorker.file },
    { from: `packages/documents/src/transcribe/${transcriptionProcess}`, to: transcriptionProcess },
  ],
  'api-description': [inPublic('docs/openapi.json')],
  'api-page': [inPublic('shared/http/docs-page/index.html')],
  'console-page': [inPublic('dist/console/index.html')],
  'console-files': [{ from: 'dist/console', to: 'public', except: ['index.html'] }],
  'guides-page': [inPublic('dist/guides/index.html')],
  'guides-files': [{ from: 'dist/guides', to: 'public', except: [] }],
  'api-page-files': [
    ...['swagger-ui-bundle.js', 'swagger-ui.css'].map((file) => inPublic(`node_modules/swagger-ui-dist/${file}`)),
    ...['page.css', 'page.js'].map((file) => inPublic(`shared/http/docs-page/${file}`)),
  ],
};
