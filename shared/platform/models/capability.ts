import { capability, type Runtime } from '../../kernel/capability.ts';
import { memoizePerKey } from '../../kernel/memoize.ts';
import { bedrockModel } from './bedrock.ts';
import { invokedModel } from './embedder-client.ts';
import { configuredModel, embeddedModel } from './model-names.ts';
import { openAiModel } from './openai.ts';
import { type Embedder, type Embedders, UnknownModel } from './port.ts';
import { cacheQueries } from './query-cache.ts';
import { openKeyReader } from './api-key.ts';
import { createRemoteEmbedder } from './remote.ts';

/** Opens a model that the embedder function runs. */
const openInvoked = (runtime: Runtime, model: string): Embedder =>
  cacheQueries(createRemoteEmbedder(invokedModel(runtime, model)));

const openConfigured = (runtime: Runtime): Embedder => {
  const { config, clock } = runtime;
  const { embeddingProvider, embeddingModel, embeddingBaseUrl } = config.models;
  switch (embeddingProvider) {
    case 'bedrock':
      return createRemoteEmbedder(bedrockModel({ region: config.region, modelId: embeddingModel, clock }));
    case 'openai': {
      const readKey = openKeyReader(runtime);
      return createRemoteEmbedder(openAiModel({ baseUrl: embeddingBaseUrl, model: embeddingModel, readKey, clock }));
    }
    case 'embedded':
    case 'model-folder':
      return openInvoked(runtime, configuredModel(config.models));
  }
};

const openEmbedders = (runtime: Runtime): Embedders =>
  memoizePerKey((model: string) => {
    if (model === configuredModel(runtime.config.models)) return openConfigured(runtime);
    if (model === embeddedModel) return openInvoked(runtime, embeddedModel);
    throw new UnknownModel(model);
  });

/** Turns text into vectors, by the model that an index was written with. */
export const embedderUse = capability<Embedders>(['models.embed', 'embedder.invoke'], openEmbedders);
