import { ocrLanguages } from './language.ts';

/** The engine: its code, and its WebAssembly. */
const engineFiles = [
  'tesseract.js-core/tesseract-core-simd-lstm.js',
  'tesseract.js-core/tesseract-core-simd-lstm.wasm',
] as const;

/** Files of Tesseract and its models, relative to the assets directory. `node_modules` has the same layout. */
export const tesseractFiles = {
  engine: engineFiles,
  models: ocrLanguages.map((language) => `@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`),
  // Marks the engine as CommonJS, regardless of the package around the bundle.
  others: ['tesseract.js-core/package.json'],
} as const;

/** Bundle of the worker thread: its id, and its file name beside the bundle of a function. */
export const tesseractWorker = { id: 'read-pictures', file: 'read-pictures.cjs' } as const;
