import { capability } from '../../kernel/capability.ts';
import type { ModelsConfig } from '../../kernel/config.ts';

/** Name of the model that every deployment includes. Earlier versions had `embedded-use-v1`. */
export const embeddedModel = 'embedded-minilm-l6-v2';

/** Returns the name of the model of the operator's folder, as stored with indexes. */
export const folderModel = (name: string): string => `model-folder/${name}`;

/**
 * Returns the model of new indexes, as stored with them: `embedded-minilm-l6-v2`, `bedrock/…`, `openai/…` or
 * `model-folder/…`.
 */
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
