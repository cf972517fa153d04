/** The engine and its English model, relative to the assets directory; `node_modules` itself is laid out like one. */
export const recognizerFiles = [
  'tesseract.js-core/tesseract-core-simd-lstm.js',
  'tesseract.js-core/tesseract-core-simd-lstm.wasm',
  '@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz',
  // It says that the engine is no ECMAScript module, whatever the folder around the bundle says of its own.
  'tesseract.js-core/package.json',
] as const;

/** The thread's own code, in the assets directory beside them. */
export const recognitionWorker = 'recognition-worker.mjs';
