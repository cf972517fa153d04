import { capability, type Runtime } from '../../kernel/capability.ts';
import { memoizePerKey } from '../../kernel/memoize.ts';
import { bedrockModel } from './bedrock.ts';
import { invokedModel } from './embedder-client.ts';
import { inputTypesOf } from './input-types.ts';
import { type DeployedModel, findModel } from './model-names.ts';
import { openAiModel } from './openai.ts';
import { type Embedder, type Embedders, UnknownModel } from './port.ts';
import { cacheQueries, keepBatches } from './query-cache.ts';
import { openKeyReader } from './api-key.ts';
import { createRemoteEmbedder } from './remote.ts';

/** Opens a model that the embedder function runs. */
const openInvoked = (runtime: Runtime, model: string): Embedder =>
  cacheQueries(createRemoteEmbedder(invokedModel(runtime, model)));

const openModel = (runtime: Runtime, { id, call }: DeployedModel): Embedder => {
  const { config, clock } = runtime;
  switch (call?.provider) {
    case 'bedrock':
      return createRemoteEmbedder(bedrockModel({ region: config.region, modelId: call.model, clock }));
    case 'openai': {
      const { model, base_url: baseUrl, api_key: keyName } = call;
      const readKey = openKeyReader(runtime, keyName);
      const inputTypes = inputTypesOf(model);
      return createRemoteEmbedder({ ...openAiModel({ baseUrl, model, inputTypes, readKey, clock }), model: id });
    }
    case 'model-folder':
    case undefined:
      return openInvoked(runtime, id);
  }
};

const openEmbedders = (runtime: Runtime): Embedders =>
  memoizePerKey((stored: string) => {
    const found = findModel(runtime.config.models, stored);
    if (found === null) throw new UnknownModel(stored);
    return openModel(runtime, found);
  });

/** As `embedderUse`, for a process that embeds queries in batches before it searches with each. */
export const batchedEmbedderUse = capability<Embedders>(['models.embed', 'embedder.invoke'], (runtime) => {
  const embedders = openEmbedders(runtime);
  return memoizePerKey((stored: string) => keepBatches(embedders(stored)));
});

/** Turns text into vectors, by the model that an index was written with. */
export const embedderUse = capability<Embedders>(['models.embed', 'embedder.invoke'], openEmbedders);
