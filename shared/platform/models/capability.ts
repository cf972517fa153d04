import { capability, type Runtime } from '../../kernel/capability.ts';
import { memoizePerKey } from '../../kernel/memoize.ts';
import { bedrockModel } from './bedrock.ts';
import { invokedModel } from './embedder-client.ts';
import { inputTypesOf } from './input-types.ts';
import { configuredModel, embeddedModel, plainModel } from './model-names.ts';
import { openAiModel } from './openai.ts';
import { type Embedder, type Embedders, UnknownModel } from './port.ts';
import { cacheQueries } from './query-cache.ts';
import { openKeyReader } from './api-key.ts';
import { createRemoteEmbedder } from './remote.ts';

/** Opens a model that the embedder function runs. */
const openInvoked = (runtime: Runtime, model: string): Embedder =>
  cacheQueries(createRemoteEmbedder(invokedModel(runtime, model)));

/** Opens the configured model. `typed`: whether it is sent whether a text is a query or a document. */
const openConfigured = (runtime: Runtime, typed: boolean): Embedder => {
  const { config, clock } = runtime;
  const { embeddingProvider, embeddingModel, embeddingBaseUrl } = config.models;
  switch (embeddingProvider) {
    case 'bedrock':
      return createRemoteEmbedder(bedrockModel({ region: config.region, modelId: embeddingModel, clock }));
    case 'openai': {
      const readKey = openKeyReader(runtime);
      const inputTypes = typed ? inputTypesOf(embeddingModel) : null;
      const model = openAiModel({ baseUrl: embeddingBaseUrl, model: embeddingModel, inputTypes, readKey, clock });
      return createRemoteEmbedder({ ...model, model: (typed ? configuredModel : plainModel)(config.models) });
    }
    case 'embedded':
    case 'model-folder':
      return openInvoked(runtime, configuredModel(config.models));
  }
};

const openEmbedders = (runtime: Runtime): Embedders =>
  memoizePerKey((model: string) => {
    const { models } = runtime.config;
    if (model === configuredModel(models)) return openConfigured(runtime, true);
    if (model === plainModel(models)) return openConfigured(runtime, false);
    if (model === embeddedModel) return openInvoked(runtime, embeddedModel);
    throw new UnknownModel(model);
  });

/** Turns text into vectors, by the model that an index was written with. */
export const embedderUse = capability<Embedders>(['models.embed', 'embedder.invoke'], openEmbedders);
