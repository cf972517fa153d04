/** Names of the models that every deployment includes, as indexes store them. */
export const [englishModel, multilingualModel] = ['embedded-minilm-l6-v2', 'embedded-multilingual-e5-small'] as const;

type EmbeddedModel = typeof englishModel | typeof multilingualModel;

/** Folders of these models, relative to the assets directory and to the project. `models/README.md` has their origin. */
export const embeddedModelFolders: Readonly<Record<EmbeddedModel, string>> = {
  [englishModel]: 'models/all-minilm-l6-v2',
  [multilingualModel]: 'models/multilingual-e5-small',
};

export const isEmbeddedModel = (model: string): model is EmbeddedModel => Object.hasOwn(embeddedModelFolders, model);

/** Files of a model folder: its configuration, its graph with the weights, and its tokenizer. */
export const modelFolderFiles = ['embedding.json', 'model.onnx', 'tokenizer.json'] as const;

/** Tokenizer of a model folder that is read in place of `tokenizer.json`. */
export const unigramFile = 'unigram.bin';

/** Files of the embedded models, relative to the assets directory. */
export const embeddedModelFiles: Readonly<Record<EmbeddedModel, readonly string[]>> = {
  [englishModel]: modelFolderFiles.map((file) => `${embeddedModelFolders[englishModel]}/${file}`),
  [multilingualModel]: ['embedding.json', 'model.onnx', unigramFile].map(
    (file) => `${embeddedModelFolders[multilingualModel]}/${file}`,
  ),
};

/** Id of the function that runs the models of folders. No other function has room for them beside the index engine. */
export const embedderFunction = 'embedder';
