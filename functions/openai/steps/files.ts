import type * as z from 'zod';
import type { EndpointResponse } from '../../../shared/http/endpoint.ts';
import { AppError, ValidationFailure } from '../../../shared/kernel/errors.ts';
import { newId, timeOf } from '../../../shared/kernel/ids.ts';
import { FileReplacement } from '../../../shared/files/index.ts';
import { problemsOf } from '../../../shared/http/validation-problems.ts';
import type { StoredFile } from '../../../shared/openai-files/index.ts';
import {
  isVisible,
  listOf,
  type OpenaiContext,
  pageOf,
  readPage,
  requireFile,
  secondsOf,
  restrictionOf,
} from './context.ts';
import { type FileForm, type FileListQuery, purposes } from './schemas.ts';
import { detachFile } from './store-files.ts';

export const toFileObject = (file: StoredFile) => ({
  id: file.id,
  object: 'file',
  bytes: file.sizeBytes,
  created_at: secondsOf(timeOf(file.id)),
  expires_at: null,
  filename: file.filename,
  purpose: file.purpose,
  status: file.isStored ? 'processed' : 'error',
  status_details: null,
});

/** Uploads a file. */
export const createFile = async (context: OpenaiContext, { file: sent, purpose }: z.output<typeof FileForm>) => {
  const { caller, clock } = context.session;
  const label = { filename: sent.name, content_type: sent.type === '' ? 'application/octet-stream' : sent.type };
  const parsed = FileReplacement.safeParse(label);
  if (!parsed.success) throw new ValidationFailure(problemsOf('body', parsed.error.issues, label));
  const bytes = new Uint8Array(await sent.arrayBuffer());
  const file: StoredFile = {
    id: newId('file', clock.now()),
    organizationId: caller.organizationId,
    filename: parsed.data.filename,
    contentType: parsed.data.content_type,
    purpose,
    sizeBytes: bytes.length,
    restrictedTo: restrictionOf(context),
    isStored: true,
    deletingAt: null,
  };
  await context.files.create(file, bytes, caller.plan);
  return toFileObject(file);
};

/** Minimum files that a request to the table reads, since most may be filtered out. */
const minPage = 1000;

/** Lists files. */
export const listFiles = async (context: OpenaiContext, query: z.output<typeof FileListQuery>) => {
  const { purpose } = query;
  const { organizationId } = context.session.caller;
  const { items, hasMore } = await readPage(pageOf(query), async ({ limit, after, newestFirst }) => {
    const found: StoredFile[] = [];
    let [position, isContinued] = [after, purpose === undefined || purposes.some((served) => served === purpose)];
    while (isContinued && found.length <= limit) {
      const page = await context.files.list(organizationId, {
        after: position,
        limit: Math.max(minPage, limit),
        newestFirst,
      });
      found.push(
        ...page.files.filter((file) => isVisible(context, file) && (purpose ?? file.purpose) === file.purpose),
      );
      position = page.files.at(-1)?.id ?? position;
      isContinued = page.hasMore;
    }
    return { items: found.slice(0, limit), hasMore: found.length > limit };
  });
  return listOf(items.map(toFileObject), hasMore);
};

/** Returns a file. */
export const getFile = async (context: OpenaiContext, fileId: string) =>
  toFileObject(await requireFile(context, fileId));

/** Bytes up to which a response contains the file. A response has at most 6 MiB, and bytes are in base64. */
const maxInlineBytes = 4 * 1024 * 1024;

/** Seconds for which the URL of a large file is valid. */
const downloadSeconds = 300;

/** Returns the bytes of a file, or a redirect to them. */
export const getFileContent = async (context: OpenaiContext, fileId: string): Promise<EndpointResponse<string>> => {
  const file = await requireFile(context, fileId);
  if (file.isStored && file.sizeBytes > maxInlineBytes) {
    const object = { ...context.files.objectOf(file), filename: file.filename, expiresInSeconds: downloadSeconds };
    const location = await context.downloads.presignGet(object.region, object);
    return { status: 302, headers: { location }, body: '' };
  }
  const bytes = await context.files.read(file);
  if (bytes === null) throw new AppError('not_found', 'The file has no content');
  return {
    body: Buffer.from(bytes).toString('base64'),
    isBase64: true,
    headers: {
      'content-type': file.contentType,
      'x-content-type-options': 'nosniff',
      'content-disposition': 'attachment',
    },
  };
};

/** Throws 403 for a caller with a restriction to indexes if a file is also attached to others. */
const requireDetachable = async ({ files, session }: OpenaiContext, file: StoredFile): Promise<void> => {
  const { indexIds } = session.caller;
  if (indexIds === null) return;
  for await (const { indexId } of files.attachments(file.organizationId, file.id))
    if (!indexIds.includes(indexId))
      throw new AppError(
        'index_not_allowed',
        'The file is attached to a vector store that these credentials may not use',
      );
};

/** Removes a file from every store, and deletes it. It can be repeated after a failure. */
export const deleteFile = async (context: OpenaiContext, fileId: string) => {
  const found = await requireFile(context, fileId);
  // A refusal must leave the file as it is.
  await requireDetachable(context, found);
  // Marked before the attachments are read: an attachment of that time sees the mark, or is found here.
  const file = await context.files.startRemoval(found, context.session.clock.now());
  if (file !== null) {
    for await (const attachment of context.files.attachments(file.organizationId, file.id))
      await detachFile(context, attachment);
    await context.files.remove(file);
  }
  return { id: fileId, object: 'file', deleted: true };
};
