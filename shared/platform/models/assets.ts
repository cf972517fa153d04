/** Folder of the embedded model, relative to the assets directory and to the project. `models/README.md` has its origin. */
export const embeddedModelFolder = 'models/all-minilm-l6-v2';

/** Files of a model folder: its configuration, its graph with the weights, and its tokenizer. */
export const modelFolderFiles = ['embedding.json', 'model.onnx', 'tokenizer.json'] as const;

/** Files of the embedded model, relative to the assets directory. */
export const embeddedModelFiles: readonly string[] = modelFolderFiles.map((file) => `${embeddedModelFolder}/${file}`);

/** Id of the function that runs the models of folders. No other function has room for them beside the index engine. */
export const embedderFunction = 'embedder';
