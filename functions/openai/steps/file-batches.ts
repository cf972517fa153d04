import type * as z from 'zod';
import { AppError, notFound } from '../../../shared/kernel/errors.ts';
import { idPattern, newId, timeOf } from '../../../shared/kernel/ids.ts';
import { requireIndex } from '../../../shared/indexes/index.ts';
import type { FileBatch } from '../../../shared/openai-files/index.ts';
import { isVisible, listOf, type OpenaiContext, pageOf, readPage, requireFile, secondsOf } from './context.ts';
import type { BatchCreate, StoreFileListQuery } from './schemas.ts';
import { attach, getStoreFile } from './store-files.ts';

type ListedFile = Awaited<ReturnType<typeof attach>>;

const isMissing = (error: unknown): boolean => error instanceof AppError && error.code === 'not_found';

/** Returns the files of a batch that are still in the store. */
const filesOf = async (context: OpenaiContext, { indexId, fileIds }: FileBatch): Promise<readonly ListedFile[]> => {
  const found = await Promise.all(
    fileIds.map((fileId) =>
      getStoreFile(context, indexId, fileId).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      }),
    ),
  );
  return found.filter((file): file is ListedFile => file !== null);
};

const toBatch = ({ id, indexId, fileIds, isCancelled }: FileBatch, files: readonly ListedFile[]) => {
  const count = (status: string): number => files.filter((file) => file.status === status).length;
  const running = count('in_progress');
  return {
    id,
    object: 'vector_store.files_batch',
    vector_store_id: indexId,
    created_at: secondsOf(timeOf(id)),
    status: isCancelled ? 'cancelled' : running > 0 ? 'in_progress' : 'completed',
    file_counts: {
      in_progress: running,
      completed: count('completed'),
      failed: count('failed'),
      cancelled: count('cancelled') + fileIds.length - files.length,
      total: fileIds.length,
    },
  };
};

/** Attaches several files to a store. If the plan refuses one of them, those before it stay attached. */
export const createBatch = async (context: OpenaiContext, indexId: string, body: z.output<typeof BatchCreate>) => {
  const shared = { attributes: body.attributes, chunking_strategy: body.chunking_strategy };
  const sent = body.files ?? (body.file_ids ?? []).map((fileId) => ({ file_id: fileId, ...shared }));
  // A missing file or store is reported before any file is attached.
  await requireIndex(context.lists.indexes, context.session.caller.organizationId, indexId);
  for (const { file_id: fileId } of sent) await requireFile(context, fileId);
  const files: ListedFile[] = [];
  for (const each of sent) files.push(await attach(context, indexId, each));
  const { caller, clock } = context.session;
  const batch = {
    id: newId('vsfb', clock.now()),
    indexId,
    fileIds: [...new Set(files.map(({ id }) => id))],
    isCancelled: false,
  };
  await context.files.addBatch(caller.organizationId, batch);
  return toBatch(batch, files);
};

const requireBatch = async (context: OpenaiContext, indexId: string, batchId: string): Promise<FileBatch> => {
  await context.operations.getIndex(context.session, { path: { index_id: indexId } });
  const { organizationId } = context.session.caller;
  const batch = idPattern('vsfb').test(batchId) ? await context.files.batch(organizationId, indexId, batchId) : null;
  if (batch === null) throw notFound('File batch');
  // The figures of a batch count files, so it is visible with all of them.
  if (context.session.caller.bounds !== null)
    for (const fileId of batch.fileIds) {
      const file = await context.files.get(organizationId, fileId);
      if (file === null || !isVisible(context, file)) throw notFound('File batch');
    }
  return batch;
};

export const getBatch = async (context: OpenaiContext, indexId: string, batchId: string) => {
  const batch = await requireBatch(context, indexId, batchId);
  return toBatch(batch, await filesOf(context, batch));
};

/** Cancels the files of a batch that are in progress. Files that have ended stay in the store. */
export const cancelBatch = async (context: OpenaiContext, indexId: string, batchId: string) => {
  const batch = await requireBatch(context, indexId, batchId);
  const { session, files, operations } = context;
  for (const { id, status } of await filesOf(context, batch)) {
    const attachment = await files.attachment(session.caller.organizationId, id, indexId);
    if (attachment === null || status !== 'in_progress') continue;
    try {
      await operations.cancelFile(session, { path: { index_id: indexId, job_id: attachment.jobId } });
    } catch (error) {
      // The file has ended meanwhile.
      if (!(error instanceof AppError && (error.code === 'conflict' || error.code === 'not_found'))) throw error;
    }
  }
  await files.cancelBatch(session.caller.organizationId, batch);
  return toBatch({ ...batch, isCancelled: true }, await filesOf(context, batch));
};

export const listBatchFiles = async (
  context: OpenaiContext,
  indexId: string,
  batchId: string,
  query: z.output<typeof StoreFileListQuery>,
) => {
  const page = pageOf(query);
  const { filter } = query;
  const files = await filesOf(context, await requireBatch(context, indexId, batchId));
  const matching = files.filter(({ status }) => (filter ?? status) === status);
  const { items, hasMore } = await readPage(page, ({ limit, after, newestFirst }) => {
    const ordered = newestFirst ? matching.toReversed() : matching;
    const from = after === null ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
    return Promise.resolve({ items: ordered.slice(from, from + limit), hasMore: ordered.length > from + limit });
  });
  return listOf(items, hasMore);
};
