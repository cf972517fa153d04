import { capability } from '../../kernel/capability.ts';
import type { ModelsConfig } from '../../kernel/config.ts';
import { inputTypesOf } from './input-types.ts';

/** Name of the model that every deployment includes. Earlier versions had `embedded-use-v1`. */
export const embeddedModel = 'embedded-minilm-l6-v2';

/** Returns the name of the model of the operator's folder, as stored with indexes. */
export const folderModel = (name: string): string => `model-folder/${name}`;

/** End of the name of a model that reads queries and documents differently, which earlier versions did not request. */
const withInputTypes = '+input-types';

/** Returns the name of the configured model as of earlier versions. Its texts are sent without an input type. */
export const plainModel = ({ embeddingProvider, embeddingModel }: ModelsConfig): string =>
  embeddingProvider === 'embedded' ? embeddedModel : `${embeddingProvider}/${embeddingModel}`;

/**
 * Returns the model of new indexes, as stored with them: `embedded-minilm-l6-v2`, `bedrock/…`, `openai/…` or
 * `model-folder/…`. The name identifies the vectors: models with input types have `+input-types` at its end.
 */
export const configuredModel = (models: ModelsConfig): string => {
  const hasTypes = models.embeddingProvider === 'openai' && inputTypesOf(models.embeddingModel) !== null;
  return `${plainModel(models)}${hasTypes ? withInputTypes : ''}`;
};

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
  const available = new Set([current, plainModel(models), embeddedModel]);
  return { current, has: (model) => available.has(model) };
};

export const embeddingModelsKnown = capability<EmbeddingModels>([], ({ config }) => embeddingModels(config.models));
