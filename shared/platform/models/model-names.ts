import { capability } from '../../kernel/capability.ts';
import type { embeddingProviders, ListedModel, ModelsConfig } from '../../kernel/config.ts';
import type { TextLanguage } from '#engine';
import { secretNames } from '../../kernel/names.ts';
import { englishModel, multilingualModel } from './assets.ts';
import { inputTypesOf } from './input-types.ts';
import { embeddedModelFacts, factsOf, type ModelFacts } from './known-models.ts';

type ModelCall = Pick<ListedModel, 'provider' | 'model'> &
  Required<{ readonly [Name in 'base_url' | 'api_key' | 'directory']: NonNullable<ListedModel[Name]> }>;

/** Embedding model that a deployment can call. */
export interface DeployedModel extends ModelFacts {
  /** Name stored with indexes: `embedded-…`, `bedrock/…`, `openai/…` or `model-folder/…`. */
  readonly id: string;
  readonly provider: (typeof embeddingProviders)[number];
  /** Whether it embeds queries and documents differently. */
  readonly hasInputTypes: boolean;
  /** How the deployment calls it, with its defaults; null for the embedded models. */
  readonly call: ModelCall | null;
}

const deployed = (listed: ListedModel, models: ModelsConfig): DeployedModel => {
  const { provider, model, dimensions, max_input_tokens: maxInputTokens, notes } = listed;
  const known = factsOf(model);
  return {
    id: `${provider}/${model}`,
    provider,
    hasInputTypes: provider !== 'model-folder' && inputTypesOf(model) !== null,
    call: {
      provider,
      model,
      base_url: listed.base_url ?? models.embeddingBaseUrl,
      api_key: listed.api_key ?? secretNames.embedding,
      directory: listed.directory ?? models.embeddingModelDirectory,
    },
    dimensions: dimensions ?? known.dimensions,
    maxInputTokens: maxInputTokens ?? known.maxInputTokens,
    notes: notes ?? known.notes,
  };
};

const embedded: DeployedModel = {
  id: englishModel,
  provider: 'embedded',
  hasInputTypes: false,
  call: null,
  ...embeddedModelFacts[englishModel],
};

const multilingual: DeployedModel = {
  ...embedded,
  id: multilingualModel,
  hasInputTypes: true,
  ...embeddedModelFacts[multilingualModel],
};

/** Returns the model of the parameters. If the list has it too, the list says how to call it. */
const defaultModel = (models: ModelsConfig): DeployedModel => {
  const { embeddingProvider: provider, embeddingModel: model, embeddingModels: list } = models;
  if (provider === 'embedded') return embedded;
  const listed = list.find((candidate) => candidate.provider === provider && candidate.model === model);
  return deployed(listed ?? { provider, model }, models);
};

/** Returns the models that a deployment can call, the default first. It always has the embedded ones. */
const deployedModels = (models: ModelsConfig): readonly DeployedModel[] => {
  const all = [
    defaultModel(models),
    ...models.embeddingModels.map((listed) => deployed(listed, models)),
    embedded,
    multilingual,
  ];
  return all.filter(({ id }, at) => all.findIndex((other) => other.id === id) === at);
};

/** Returns the model with a stored name; null if the deployment cannot call it. */
export const findModel = (models: ModelsConfig, stored: string): DeployedModel | null =>
  deployedModels(models).find(({ id }) => id === stored) ?? null;

/** The embedding models of a deployment. */
export interface EmbeddingModels {
  /** Models that new indexes may choose, the default first. */
  readonly all: readonly [DeployedModel, ...DeployedModel[]];
  /** Returns the model of a new index that chooses none. The embedded default is English, so other languages get another. */
  defaultOf(language: TextLanguage): DeployedModel;
  /** Whether text can be embedded for an index of a model. */
  has(model: string): boolean;
}

const embeddingModels = (models: ModelsConfig): EmbeddingModels => {
  const [first = embedded, ...others] = deployedModels(models);
  return {
    all: [first, ...others],
    defaultOf: (language) => (first.id === englishModel && language !== 'english' ? multilingual : first),
    has: (model) => findModel(models, model) !== null,
  };
};

export const embeddingModelsKnown = capability<EmbeddingModels>([], ({ config }) => embeddingModels(config.models));
