import { type OcrModelName, ocrModelNames } from './language.ts';

/** The engine that reads: its code, and its WebAssembly. */
const engineFiles = [
  'tesseract.js-core/tesseract-core-simd-lstm.js',
  'tesseract.js-core/tesseract-core-simd-lstm.wasm',
] as const;

/** The engine that detects the script of a page. Only this build contains the older recognizer, which detection needs. */
const detectorFiles = [
  'tesseract.js-core/tesseract-core-simd.js',
  'tesseract.js-core/tesseract-core-simd.wasm',
  '@tesseract.js-data/osd/4.0.0_best_int/osd.traineddata.gz',
] as const;

/** Models that no npm package contains. `models/README.md` has their origin. */
const ownModels: Partial<Record<OcrModelName, string>> = { rus: 'tesseract-rus/rus.traineddata.gz' };

/** Returns the file of a model: below `models` if it is an own one, else beside the engine. */
export const modelFile = (model: OcrModelName): { readonly isOwn: boolean; readonly path: string } => {
  const own = ownModels[model];
  return own === undefined
    ? { isOwn: false, path: `@tesseract.js-data/${model}/4.0.0_best_int/${model}.traineddata.gz` }
    : { isOwn: true, path: own };
};

/** Files of Tesseract and its models, relative to the assets directory. `node_modules` has the same layout. */
export const tesseractFiles = {
  engine: engineFiles,
  detector: detectorFiles,
  models: ocrModelNames.map(modelFile).flatMap(({ isOwn, path }) => (isOwn ? [] : [path])),
  // Marks the engine as CommonJS, regardless of the package around the bundle.
  others: ['tesseract.js-core/package.json'],
} as const;

/** Files of own models, relative to `models` in the assets directory and in the project. */
export const ownTesseractFiles: readonly string[] = Object.values(ownModels);

/** Bundle of the worker thread: its id, and its file name beside the bundle of a function. */
export const tesseractWorker = { id: 'read-pictures', file: 'read-pictures.cjs' } as const;
