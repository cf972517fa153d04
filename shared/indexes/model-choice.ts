import { defaultTextLanguage, type TextLanguage } from '#engine';
import type { ValidationProblem } from '../kernel/errors.ts';
import type { DeployedModel, EmbeddingModels } from '../platform/models/model-names.ts';

/** Numbers of each vector of an index whose creation states neither them nor a model. */
export const defaultDimensions = 1536;

/** Value of `embedding_model` that chooses the default model with its own dimensions. */
const defaultModelChoice = 'default';

interface ModelChoice {
  readonly embedding_model?: string | null | undefined;
  readonly dimensions?: number | undefined;
  readonly text_language?: TextLanguage | undefined;
}

/** Returns the chosen model; undefined if the deployment does not have it, null without a choice. */
const chosenModel = (
  { embedding_model: id, text_language: language = defaultTextLanguage }: ModelChoice,
  models: EmbeddingModels,
): DeployedModel | null | undefined => {
  if (id == null) return null;
  return id === defaultModelChoice ? models.defaultOf(language) : models.all.find((model) => model.id === id);
};

/**
 * Returns a problem if a new index chooses a model that is not deployed, or dimensions that the model does not have.
 * Without a choice, vectors of the default model are projected to any dimensions.
 */
export const modelProblems = (choice: ModelChoice, models: EmbeddingModels): readonly ValidationProblem[] => {
  const model = chosenModel(choice, models);
  if (model === null) return [];
  if (model === undefined) {
    const values = [...models.all.map(({ id }) => id), defaultModelChoice];
    const msg = `Input should be ${values.map((id) => `'${id}'`).join(' or ')}`;
    return [{ loc: ['body', 'embedding_model'], msg, type: 'enum' }];
  }
  const { dimensions } = choice;
  if (dimensions === undefined || model.dimensions.length === 0 || model.dimensions.includes(dimensions)) return [];
  const msg = `Input should be ${model.dimensions.join(' or ')}, the dimensions of ${model.id}`;
  return [{ loc: ['body', 'dimensions'], msg, type: 'enum' }];
};

/** Returns model and dimensions of a new index, after `modelProblems`. */
export const chooseModel = (
  choice: ModelChoice,
  models: EmbeddingModels,
): { readonly embeddingModel: string; readonly dimensions: number } => {
  const chosen = chosenModel(choice, models);
  const model = chosen ?? models.defaultOf(choice.text_language ?? defaultTextLanguage);
  return { embeddingModel: model.id, dimensions: choice.dimensions ?? chosen?.dimensions[0] ?? defaultDimensions };
};
