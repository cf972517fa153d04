import { capability } from '../../kernel/capability.ts';
import type { ModelsConfig } from '../../kernel/config.ts';

/** The model that runs inside the process. */
export const embeddedModel = 'embedded-use-v1';

/** The model that writes new indexes, as it is recorded with them: `embedded-use-v1`, `bedrock/…` or `openai/…`. */
export const configuredModel = ({ embeddingProvider, embeddingModel }: ModelsConfig): string =>
  embeddingProvider === 'embedded' ? embeddedModel : `${embeddingProvider}/${embeddingModel}`;

/** What a function knows of embedding models without calling one. */
export interface EmbeddingModels {
  /** Writes new indexes. */
  readonly current: string;
  /** Whether text can be embedded for an index that a model wrote. */
  has(model: string): boolean;
}

/** The model that is configured, and the embedded one, which every deployment carries. */
const embeddingModels = (models: ModelsConfig): EmbeddingModels => {
  const current = configuredModel(models);
  return { current, has: (model) => model === current || model === embeddedModel };
};

export const embeddingModelsKnown = capability<EmbeddingModels>([], ({ config }) => embeddingModels(config.models));
