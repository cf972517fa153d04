import { capability } from '../../kernel/capability.ts';
import type { ModelsConfig } from '../../kernel/config.ts';

/** Name of the model that runs inside the process. */
export const embeddedModel = 'embedded-use-v1';

/** Returns the model of new indexes, as stored with them: `embedded-use-v1`, `bedrock/…` or `openai/…`. */
export const configuredModel = ({ embeddingProvider, embeddingModel }: ModelsConfig): string =>
  embeddingProvider === 'embedded' ? embeddedModel : `${embeddingProvider}/${embeddingModel}`;

/** Names of the available embedding models. */
export interface EmbeddingModels {
  /** Model of new indexes. */
  readonly current: string;
  /** Whether text can be embedded for an index of a model. */
  has(model: string): boolean;
}

/** Returns the configured model and the embedded one, which every deployment includes. */
const embeddingModels = (models: ModelsConfig): EmbeddingModels => {
  const current = configuredModel(models);
  return { current, has: (model) => model === current || model === embeddedModel };
};

export const embeddingModelsKnown = capability<EmbeddingModels>([], ({ config }) => embeddingModels(config.models));
