import { capability, type Runtime } from '../../kernel/capability.ts';
import { memoizePerKey } from '../../kernel/memoize.ts';
import { bedrockModel } from './bedrock.ts';
import { createEmbeddedEmbedder } from './embedded.ts';
import { configuredModel, embeddedModel } from './model-names.ts';
import { openAiModel } from './openai.ts';
import type { Embedder, Embedders } from './port.ts';
import { UnknownModel } from './port.ts';
import { openKeyReader } from './api-key.ts';
import { createRemoteEmbedder } from './remote.ts';

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
      return createEmbeddedEmbedder(config);
  }
};

const openEmbedders = (runtime: Runtime): Embedders =>
  memoizePerKey((model: string) => {
    if (model === configuredModel(runtime.config.models)) return openConfigured(runtime);
    if (model === embeddedModel) return createEmbeddedEmbedder(runtime.config);
    throw new UnknownModel(model);
  });

/** Turns text into vectors, by the model that an index was written with. */
export const embedderUse = capability<Embedders>(['models.embed'], openEmbedders);
