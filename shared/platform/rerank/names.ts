/** Folder of the embedded cross-encoder, relative to the assets directory and to the project. `models/README.md` has its origin. */
export const embeddedRerankerFolder = 'models/ms-marco-minilm-l-12-v2';

/** Files of a reranker's folder: its configuration, its graph with the weights, and its tokenizer. */
export const rerankerFolderFiles = ['reranker.json', 'model.onnx', 'tokenizer.json'] as const;

/** Files of the embedded cross-encoder, relative to the assets directory. */
export const embeddedRerankerFiles: readonly string[] = rerankerFolderFiles.map(
  (file) => `${embeddedRerankerFolder}/${file}`,
);

/** Id of the function that runs rerankers of folders. */
export const rerankerFunction = 'reranker';

/** Name of the embedded cross-encoder, which reads a query and a text together. */
export const crossEncoder = 'embedded-ms-marco-minilm-l-12-v2';
/** Name of the comparison of token vectors of the embedded model. */
export const tokenSimilarity = 'embedded-minilm-l6-v2-maxsim';
