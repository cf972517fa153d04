import { join } from 'node:path';
import { capability } from '../../kernel/capability.ts';
import { memoizePerKey } from '../../kernel/memoize.ts';
import { embeddedModelFolders, englishModel, isEmbeddedModel } from './assets.ts';
import { limitsOf } from './embedder-client.ts';
import { findModel } from './model-names.ts';
import { lazyOnnxEncoder, type OnnxEncoder } from './onnx-encoder.ts';
import { type Embedder, UnknownModel } from './port.ts';
import { createRemoteEmbedder } from './remote.ts';

/** Creates an embedder that runs the model of a folder in this process. `model` is the name that indexes store. */
export const createFolderEmbedder = (folder: string, model: string): Embedder => {
  const { encode } = lazyOnnxEncoder(folder);
  return createRemoteEmbedder({ model, limits: limitsOf(model), request: (texts, _, use) => encode(texts, use) });
};

/** Creates an embedder that runs an embedded model in this process. `assetsDirectory` contains `embeddedModelFiles`. */
export const createEmbeddedEmbedder = (options: {
  readonly assetsDirectory: string;
  readonly model?: keyof typeof embeddedModelFolders;
}): Embedder => {
  const { assetsDirectory, model = englishModel } = options;
  return createFolderEmbedder(join(assetsDirectory, embeddedModelFolders[model]), model);
};

/** Returns the encoder of a model that this deployment has in a folder. Throws `UnknownModel`. */
export type Encoders = (model: string) => Pick<OnnxEncoder, 'encode'>;

/** Runs the embedded models, and those of the operator's folders. */
export const encodersUse = capability<Encoders>([], ({ config: { assetsDirectory, models } }) =>
  memoizePerKey((model: string) => {
    if (isEmbeddedModel(model)) return lazyOnnxEncoder(join(assetsDirectory, embeddedModelFolders[model]));
    const call = findModel(models, model)?.call;
    if (call?.provider === 'model-folder') return lazyOnnxEncoder(call.directory, call.model);
    throw new UnknownModel(model);
  }),
);
