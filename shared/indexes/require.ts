import { AppError, notFound } from '../kernel/errors.ts';
import type { WaitingWrites } from '../usage/index.ts';
import type { EmbeddingModels } from '../platform/models/model-names.ts';
import { type IndexRecord, isLive } from './record.ts';
import type { IndexReader } from './contracts.ts';

/** The index, or 404 where the organization has none of this id. */
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
 * The index, where it may be read and changes may be sent to its log. A new index takes them at once, because its creation
 * stands first in its log; a branch is created in the log of its parent and answers 409 until then.
 */
export const requireStandingIndex = async (
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

/** Throws 409 if an index holds so much that it takes no further content. */
export const requireIndexRoom = ({ maxIndexBytes }: IndexReader, { state }: Pick<IndexRecord, 'state'>): void => {
  const current = state.denseBytes + state.sparseBytes;
  if (current < maxIndexBytes) return;
  throw new AppError(
    'index_full',
    `The index holds ${current} bytes of vectors and texts, and an index takes no more content from ${maxIndexBytes} on. Delete rows, or write to a further index`,
    { fields: { limit: maxIndexBytes, current } },
  );
};

/** The index, if it may be written to and takes further content. Throws 404 and 409. */
export const requireGrowableIndex = async (
  indexes: IndexReader,
  organizationId: string,
  indexId: string,
): Promise<IndexRecord> => {
  const index = await requireStandingIndex(indexes, organizationId, indexId);
  requireIndexRoom(indexes, index);
  return index;
};

/** The index, for a change that waits for its receipt. Throws as `requireStandingIndex`. Throws 429 as well, if too many wait already. */
export const requireWritableIndex = async (
  { indexes, waits }: { readonly indexes: IndexReader; readonly waits: WaitingWrites },
  organizationId: string,
  indexId: string,
): Promise<IndexRecord> => {
  const room = waits.requireRoom({ organizationId, id: indexId });
  // Thrown behind what is wrong with the index.
  room.catch(() => undefined);
  const index = await requireStandingIndex(indexes, organizationId, indexId);
  await room;
  return index;
};

/** A call to an index, before its caller has been let in. */
interface IndexCall {
  readonly organizationId: string;
  readonly path: { readonly index_id: string };
  readonly deps: { readonly indexes: IndexReader };
}

/** The index of the path, for `prefetched` of an endpoint. Throws as `requireIndex`. */
export const indexAhead = ({ deps, organizationId, path }: IndexCall): Promise<IndexRecord> =>
  requireIndex(deps.indexes, organizationId, path.index_id);

/** The index of the path, for `prefetched` of an endpoint. Throws as `requireStandingIndex`. */
export const standingIndexAhead = ({ deps, organizationId, path }: IndexCall): Promise<IndexRecord> =>
  requireStandingIndex(deps.indexes, organizationId, path.index_id);

/**
 * Refuses to embed text for an index that a model wrote which this deployment is not set up to call: only its own model
 * gives vectors that compare with those of the index.
 */
export const requireModel = (models: EmbeddingModels, { embeddingModel }: IndexRecord): void => {
  if (models.has(embeddingModel)) return;
  const reason = `The index was written with the embedding model ${embeddingModel}, which this deployment is not set up to call`;
  throw new AppError('conflict', `${reason}: give vectors in place of text`);
};

/** The index of the path, for `prefetched` of an endpoint that changes it. Throws as `requireWritableIndex`. */
export const writableIndexAhead = ({
  deps,
  organizationId,
  path,
}: IndexCall & { readonly deps: { readonly waits: WaitingWrites } }): Promise<IndexRecord> =>
  requireWritableIndex(deps, organizationId, path.index_id);
