import { AppError, notFound } from '../kernel/errors.ts';
import { type EngineFeature, hasFeature } from '#engine';
import type { WaitingWrites } from '../usage/index.ts';
import type { EmbeddingModels } from '../platform/models/model-names.ts';
import { unknownModelMessage } from '../platform/models/port.ts';
import { requireNotFull } from './capacity.ts';
import { type IndexRecord, isLive } from './record.ts';
import type { IndexReader } from './contracts.ts';

/** Returns the index. Throws 404 if the organization has none with this id. */
export const requireIndex = async (
  indexes: Pick<IndexReader, 'get'>,
  organizationId: string,
  indexId: string,
): Promise<IndexRecord> => {
  const index = await indexes.get(organizationId, indexId);
  if (!isLive(index)) throw notFound('Index');
  return index;
};

/**
 * Returns an index that is ready for reads and changes. A new index is ready at once, because its creation comes first in its
 * log. A branch is created in the log of its parent, so it throws 409 until it exists. Throws 404.
 */
export const requireReadyIndex = async (
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

/** Throws 409 if the engine of an index lacks a feature. */
export const requireFeature = ({ engine }: Pick<IndexRecord, 'engine'>, feature: EngineFeature): void => {
  if (hasFeature(engine, feature)) return;
  throw new AppError('not_supported_by_engine', `The engine ${engine} of this index does not support ${feature}`, {
    fields: { feature },
  });
};

/** Returns an index that is ready and not full. Throws 404 and 409. */
export const requireGrowableIndex = async (
  indexes: IndexReader,
  organizationId: string,
  indexId: string,
): Promise<IndexRecord> => {
  const index = await requireReadyIndex(indexes, organizationId, indexId);
  requireNotFull(indexes, index);
  return index;
};

/** Returns a ready index for a change that waits for its receipt. Throws 404 and 409, and 429 if too many writes wait. */
export const requireWritableIndex = async (
  { indexes, waits }: { readonly indexes: IndexReader; readonly waits: WaitingWrites },
  organizationId: string,
  indexId: string,
): Promise<IndexRecord> => {
  const belowLimit = waits.requireBelowLimit({ organizationId, id: indexId });
  // Errors of the index are thrown first.
  belowLimit.catch(() => undefined);
  const index = await requireReadyIndex(indexes, organizationId, indexId);
  await belowLimit;
  return index;
};

/** Request to an index, before its caller is authenticated. */
interface IndexCall {
  readonly organizationId: string;
  readonly path: { readonly index_id: string };
  readonly deps: { readonly indexes: IndexReader };
}

/** Reads the index of the path, as `prefetch` of an endpoint. Throws as `requireIndex`. */
export const prefetchIndex = ({ deps, organizationId, path }: IndexCall): Promise<IndexRecord> =>
  requireIndex(deps.indexes, organizationId, path.index_id);

/** Reads the index of the path, as `prefetch` of an endpoint. Throws as `requireReadyIndex`. */
export const prefetchReadyIndex = ({ deps, organizationId, path }: IndexCall): Promise<IndexRecord> =>
  requireReadyIndex(deps.indexes, organizationId, path.index_id);

/**
 * Throws 409 if this deployment cannot call the embedding model of an index. Only vectors of the same model can be compared
 * with those of the index.
 */
export const requireModel = (models: EmbeddingModels, { embeddingModel }: IndexRecord): void => {
  if (models.has(embeddingModel)) return;
  throw new AppError('conflict', unknownModelMessage(embeddingModel));
};

/** Reads the index of the path, as `prefetch` of an endpoint that changes it. Throws as `requireWritableIndex`. */
export const prefetchWritableIndex = ({
  deps,
  organizationId,
  path,
}: IndexCall & { readonly deps: { readonly waits: WaitingWrites } }): Promise<IndexRecord> =>
  requireWritableIndex(deps, organizationId, path.index_id);
