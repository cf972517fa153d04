/** Tesseract and its English model, relative to the assets directory. `node_modules` has the same layout. */
export const tesseractFiles = [
  'tesseract.js-core/tesseract-core-simd-lstm.js',
  'tesseract.js-core/tesseract-core-simd-lstm.wasm',
  '@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz',
  // Marks the engine as CommonJS, regardless of the package around the bundle.
  'tesseract.js-core/package.json',
] as const;

/** Code of the worker thread, in the assets directory. */
export const tesseractWorker = 'tesseract-worker.mjs';
