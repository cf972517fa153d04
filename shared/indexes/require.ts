import { AppError, notFound } from '../kernel/errors.ts';
import type { EmbeddingModels } from '../platform/models/model-names.ts';
import type { IndexRecord } from './record.ts';
import type { IndexReader } from './contracts.ts';

/** The index, or 404 where the organization has none of this id. */
export const requireIndex = async (
  indexes: IndexReader,
  organizationId: string,
  indexId: string,
): Promise<IndexRecord> => {
  const index = await indexes.get(organizationId, indexId);
  if (index === null || index.status === 'deleting') throw notFound('Index');
  return index;
};

/**
 * The index, where changes may be sent to its log. A new index takes them at once, because its creation stands first in
 * its log; a branch is created in the log of its parent and answers 409 until then.
 */
export const requireWritableIndex = async (
  indexes: IndexReader,
  organizationId: string,
  indexId: string,
): Promise<IndexRecord> => {
  const index = await requireIndex(indexes, organizationId, indexId);
  if (index.status === 'creating' && index.parentIndexId !== null) {
    throw new AppError('index_not_ready', 'The branch is still being created', { headers: { 'retry-after': '1' } });
  }
  return index;
};

/**
 * Refuses to embed text for an index that a model wrote which this deployment is not set up to call: only its own model
 * gives vectors that compare with those of the index.
 */
export const requireModel = (models: EmbeddingModels, { embeddingModel }: IndexRecord): void => {
  if (models.has(embeddingModel)) return;
  const reason = `The index was written with the embedding model ${embeddingModel}, which this deployment is not set up to call`;
  throw new AppError('conflict', `${reason}: give vectors in place of text`);
};
