import { notFound } from '../../../shared/kernel/errors.ts';
import type { EmbeddingModels } from '../../../shared/platform/models/model-names.ts';

/** Models have no time of creation here, and clients require a number. */
const unknownTime = 0;

const toModel = ({ id, provider }: EmbeddingModels['all'][number]) => ({
  id,
  object: 'model',
  created: unknownTime,
  owned_by: provider,
});

/** Lists the models that an index may choose, the default first. */
export const listModels = ({ all }: EmbeddingModels) => ({ object: 'list', data: all.map(toModel) });

/** Returns a model. Throws 404. */
export const getModel = ({ all }: EmbeddingModels, id: string) => {
  const model = all.find((known) => known.id === id);
  if (model === undefined) throw notFound('Model');
  return toModel(model);
};
