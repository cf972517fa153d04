import type * as z from 'zod';
import { AppError, notFound } from '../../../shared/kernel/errors.ts';
import { idPattern } from '../../../shared/kernel/ids.ts';
import type { JsonObject } from '../../../shared/kernel/json.ts';
import { ownNames } from '../../../shared/kernel/row-metadata.ts';
import { nearestChunkOptions } from '#documents';
import type { Attachment, FileAttributes } from '../../../shared/openai-files/index.ts';
import { type FileJobResponse, toJobResponse } from '../../../shared/files/index.ts';
import { listOf, type OpenaiContext, pageOf, readPage, requireFile, secondsOf } from './context.ts';
import { invalidParam } from './error-format.ts';
import {
  type ChunkingStrategy,
  type FileAttach,
  type FileUpdate,
  ownKeys,
  type StoreFileListQuery,
} from './schemas.ts';

/** Characters per token, as the service cuts texts by characters. */
const charactersPerToken = 4;

const serviceKeys: ReadonlySet<string> = new Set([...ownKeys, ...ownNames]);

/** Returns the metadata that the OpenAI API can represent as attributes, without those of the service. */
export const attributesOf = (metadata: JsonObject): FileAttributes =>
  Object.fromEntries(
    Object.entries(metadata).filter(
      (entry): entry is [string, string | number | boolean] =>
        !serviceKeys.has(entry[0]) && ['string', 'number', 'boolean'].includes(typeof entry[1]),
    ),
  );

type StoreFileStatus = 'in_progress' | 'completed' | 'failed' | 'cancelled';

const statuses: Readonly<Record<StoreFileStatus, readonly FileJobResponse['status'][]>> = {
  in_progress: ['awaiting_upload', 'queued', 'processing'],
  completed: ['completed', 'completed_with_warnings'],
  failed: ['failed', 'expired'],
  cancelled: ['cancelled', 'superseded'],
};

/** Returns the status of a job in the OpenAI API. */
export const statusOf = ({ status }: Pick<FileJobResponse, 'status'>): StoreFileStatus =>
  (Object.keys(statuses) as StoreFileStatus[]).find((name) => statuses[name].includes(status)) ?? 'in_progress';

const chunkingOf = ({ chunk_size: size, chunk_overlap: overlap }: JsonObject) =>
  typeof size === 'number'
    ? {
        type: 'static',
        static: {
          max_chunk_size_tokens: Math.round(size / charactersPerToken),
          chunk_overlap_tokens: typeof overlap === 'number' ? Math.round(overlap / charactersPerToken) : 0,
        },
      }
    : { type: 'other' };

/** Returns the id under which the OpenAI API shows a job: that of its file, or its own if it has no file there. */
export const fileIdOf = ({ id, metadata }: Pick<FileJobResponse, 'id' | 'metadata'>): string =>
  typeof metadata['file_id'] === 'string' && idPattern('file').test(metadata['file_id']) ? metadata['file_id'] : id;

const toStoreFile = (job: FileJobResponse, attributes: FileAttributes) => ({
  id: fileIdOf(job),
  object: 'vector_store.file',
  vector_store_id: job.index_id,
  created_at: secondsOf(job.created_at),
  status: statusOf(job),
  usage_bytes: job.size_bytes ?? 0,
  last_error: job.error === null ? null : { code: 'invalid_file', message: job.error },
  attributes,
  chunking_strategy: chunkingOf(job.metadata),
});

/** File in a store: its job, and its attachment if the OpenAI API has attached it. */
interface StoreFile {
  readonly job: FileJobResponse;
  readonly attachment: Attachment | null;
}

const shown = ({ job, attachment }: StoreFile) =>
  toStoreFile(job, attachment?.attributes ?? attributesOf(job.metadata));

const getJob = async ({ operations, session }: OpenaiContext, indexId: string, jobId: string) =>
  (await operations.getFile(session, { path: { index_id: indexId, job_id: jobId } })).body;

const requireStoreFile = async (context: OpenaiContext, indexId: string, fileId: string): Promise<StoreFile> => {
  // Checks the access to the store before its files.
  await context.operations.getIndex(context.session, { path: { index_id: indexId } });
  if (idPattern('job').test(fileId)) return { job: await getJob(context, indexId, fileId), attachment: null };
  const attachment = idPattern('file').test(fileId)
    ? await context.files.attachment(context.session.caller.organizationId, fileId, indexId)
    : null;
  if (attachment === null) throw notFound('File');
  return { job: await getJob(context, indexId, attachment.jobId), attachment };
};

/** Returns the options of a file job. Sizes are those nearest to the requested ones. */
const chunkOptionsOf = (strategy: ChunkingStrategy | null | undefined) =>
  strategy?.type === 'static'
    ? nearestChunkOptions(
        strategy.static.max_chunk_size_tokens * charactersPerToken,
        strategy.static.chunk_overlap_tokens * charactersPerToken,
      )
    : {};

/** Attaches a file to a store, which starts its file job. A file that is attached stays as it is. */
export const attach = async (context: OpenaiContext, indexId: string, sent: z.output<typeof FileAttach>) => {
  const { id } = await requireFile(context, sent.file_id);
  const attributes = sent.attributes ?? {};
  const { body: job } = await context.operations.attachFile(context.session, {
    path: { index_id: indexId },
    body: { file_id: id, attributes, chunking: chunkOptionsOf(sent.chunking_strategy) },
  });
  return toStoreFile(job, attributes);
};

export const getStoreFile = async (context: OpenaiContext, indexId: string, fileId: string) =>
  shown(await requireStoreFile(context, indexId, fileId));

/** Lists the files of a store, also those that other endpoints have added. */
export const listStoreFiles = async (
  context: OpenaiContext,
  indexId: string,
  query: z.output<typeof StoreFileListQuery>,
) => {
  const page = pageOf(query);
  const { filter } = query;
  const { organizationId } = context.session.caller;
  await context.operations.getIndex(context.session, { path: { index_id: indexId } });
  const jobIdOf = async (fileId: string | null) =>
    fileId === null ? null : (await requireStoreFile(context, indexId, fileId)).job.id;
  const [after, before] = [await jobIdOf(page.after), await jobIdOf(page.before)];
  const statusFilter = filter === undefined ? {} : { filter: { statuses: statuses[filter] } };
  const { items, hasMore } = await readPage({ ...page, after, before }, async (position) => {
    const found: FileJobResponse[] = [];
    let next = position.after;
    do {
      const limit = position.limit - found.length;
      const read = { ...position, ...statusFilter, limit, after: next };
      const jobs = await context.lists.jobs.list(organizationId, indexId, read);
      found.push(...jobs.jobs.map((job) => toJobResponse(job)));
      ({ next } = jobs);
    } while (next !== null && found.length < position.limit);
    return { items: found, hasMore: next !== null };
  });
  const files = await Promise.all(
    items.map(async (job) => {
      const fileId = fileIdOf(job);
      const attachment = fileId === job.id ? null : await context.files.attachment(organizationId, fileId, indexId);
      return shown({ job, attachment });
    }),
  );
  return listOf(files, hasMore);
};

/** Replaces the attributes of an attached file, also in its searchable chunks. */
export const updateStoreFile = async (
  context: OpenaiContext,
  indexId: string,
  fileId: string,
  body: z.output<typeof FileUpdate>,
) => {
  const { job, attachment } = await requireStoreFile(context, indexId, fileId);
  const attributes = body.attributes ?? {};
  if (attachment === null) throw invalidParam('file_id', 'The file was not attached by this API: update its vectors');
  if (statusOf(job) !== 'completed')
    throw new AppError('conflict', 'The attributes of a file can be changed when it is completed');
  const removed = Object.keys(attachment.attributes).filter((name) => !Object.hasOwn(attributes, name));
  const metadata = { ...Object.fromEntries(removed.map((name) => [name, null])), ...attributes };
  // The record follows the chunks: a repeat after a failure finds the earlier names again.
  if (Object.keys(metadata).length > 0)
    await context.operations.updateVectors(context.session, {
      path: { index_id: indexId },
      body: { filter: { file_id: fileId }, metadata },
    });
  const { organizationId } = context.session.caller;
  if (!(await context.files.setAttributes(organizationId, attachment, attributes))) throw notFound('File');
  return toStoreFile(job, attributes);
};

/** Removes an attached file from its store. A job or store that does not exist any more is no error. */
export const detachFile = async (context: OpenaiContext, attachment: Attachment): Promise<void> => {
  const path = { index_id: attachment.indexId, job_id: attachment.jobId };
  try {
    await context.operations.deleteFile(context.session, { path });
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error;
  }
  await context.files.detach(context.session.caller.organizationId, attachment);
};

export const deleteStoreFile = async (context: OpenaiContext, indexId: string, fileId: string) => {
  const { job, attachment } = await requireStoreFile(context, indexId, fileId);
  if (attachment === null)
    await context.operations.deleteFile(context.session, { path: { index_id: indexId, job_id: job.id } });
  else await detachFile(context, attachment);
  return { id: fileId, object: 'vector_store.file.deleted', deleted: true };
};

/** Maximum chunks of a content response. */
const maxContentChunks = 1000;

/** Returns the texts of a file's chunks. */
export const getStoreFileContent = async (context: OpenaiContext, indexId: string, fileId: string) => {
  const { job } = await requireStoreFile(context, indexId, fileId);
  const { body } = await context.operations.listFileChunks(context.session, {
    path: { index_id: indexId, job_id: job.id },
    query: { limit: String(maxContentChunks) },
  });
  const data = body.map(({ text }) => ({ type: 'text', text: text ?? '' }));
  return { object: 'vector_store.file_content.page', data, has_more: false, next_page: null };
};
