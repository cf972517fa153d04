import type { TextLanguage } from '#engine';
import type { ValidationProblem } from '../kernel/errors.ts';
import type { DeployedModel, EmbeddingModels } from '../platform/models/model-names.ts';

/** Numbers of each vector of an index whose creation states neither them nor a model. */
export const defaultDimensions = 1536;

interface ModelChoice {
  readonly embedding_model?: string | null | undefined;
  readonly dimensions?: number | undefined;
}

/** Returns the chosen model; undefined if the deployment does not have it. */
const chosenModel = (id: string, { all }: EmbeddingModels): DeployedModel | undefined =>
  all.find((model) => model.id === id);

/**
 * Returns a problem if a new index chooses a model that is not deployed, or dimensions that the model does not have.
 * Without a choice, vectors of the default model are projected to any dimensions.
 */
export const modelProblems = (
  { embedding_model: id, dimensions }: ModelChoice,
  models: EmbeddingModels,
): readonly ValidationProblem[] => {
  if (id == null) return [];
  const model = chosenModel(id, models);
  if (model === undefined) {
    const msg = `Input should be ${models.all.map((known) => `'${known.id}'`).join(' or ')}`;
    return [{ loc: ['body', 'embedding_model'], msg, type: 'enum' }];
  }
  if (dimensions === undefined || model.dimensions.length === 0 || model.dimensions.includes(dimensions)) return [];
  const msg = `Input should be ${model.dimensions.join(' or ')}, the dimensions of ${id}`;
  return [{ loc: ['body', 'dimensions'], msg, type: 'enum' }];
};

/** Returns model and dimensions of a new index, after `modelProblems`. */
export const chooseModel = (
  { embedding_model: id, dimensions, text_language: language }: ModelChoice & { readonly text_language: TextLanguage },
  models: EmbeddingModels,
): { readonly embeddingModel: string; readonly dimensions: number } => {
  const chosen = id == null ? undefined : chosenModel(id, models);
  const model = chosen ?? models.defaultOf(language);
  return { embeddingModel: model.id, dimensions: dimensions ?? chosen?.dimensions[0] ?? defaultDimensions };
};
