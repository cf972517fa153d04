import { AppError, ValidationFailure } from '../../../shared/kernel/errors.ts';
import { newId, timeOf } from '../../../shared/kernel/ids.ts';
import { FileReplacement } from '../../../shared/files/index.ts';
import { problemsOf } from '../../../shared/http/validation-problems.ts';
import type { StoredFile } from '../../../shared/openai-files/index.ts';
import {
  isVisible,
  listOf,
  type OpenaiContext,
  type OpenaiResult,
  pageOf,
  readPage,
  requireFile,
  requireWrite,
  secondsOf,
} from './context.ts';
import { invalidParam, unsupported } from './error-format.ts';
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

const purposes: ReadonlySet<string> = new Set(['assistants', 'user_data']);

/** Returns a purpose. Throws 400 for one that the service does not serve. */
export const requirePurpose = (purpose: unknown): string => {
  if (typeof purpose !== 'string' || !purposes.has(purpose))
    throw unsupported('purpose', 'The purpose of a file is assistants or user_data');
  return purpose;
};

/** Parses a form. Throws 400. */
export const formOf = async ({ request, contentType }: OpenaiContext, fields: string): Promise<FormData> => {
  try {
    const body = new Uint8Array(request.body);
    // oxlint-disable-next-line typescript/no-deprecated -- the whole body is in memory already
    return await new Response(body, { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw new AppError('bad_request', `The body must be multipart/form-data with ${fields}`);
  }
};

/** Uploads a file. */
export const createFile = async (context: OpenaiContext): Promise<OpenaiResult> => {
  requireWrite(context);
  const form = await formOf(context, 'file and purpose');
  const sent = form.get('file');
  if (!(sent instanceof File)) throw invalidParam('file', 'The field file must be a file');
  const purpose = requirePurpose(form.get('purpose'));
  if ([...form.keys()].some((name) => name.startsWith('expires_after')))
    throw unsupported('expires_after', 'Files do not expire');
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
    restrictedTo: caller.indexIds === null ? null : caller.subjectId,
    isStored: true,
    deletingAt: null,
  };
  await context.files.create(file, bytes);
  return toFileObject(file);
};

/** Lists files. */
export const listFiles = async (context: OpenaiContext): Promise<OpenaiResult> => {
  const { purpose } = context.request.query;
  const { organizationId } = context.session.caller;
  const { items, hasMore } = await readPage(pageOf(context, 10_000), async ({ limit, after, newestFirst }) => {
    const found: StoredFile[] = [];
    let [position, isContinued] = [after, true];
    while (isContinued && found.length < limit) {
      const page = await context.files.list(organizationId, {
        after: position,
        limit: limit - found.length,
        newestFirst,
      });
      found.push(
        ...page.files.filter((file) => isVisible(context, file) && (purpose ?? file.purpose) === file.purpose),
      );
      position = page.files.at(-1)?.id ?? position;
      isContinued = page.hasMore;
    }
    return { items: found, hasMore: isContinued };
  });
  return listOf(items.map(toFileObject), hasMore);
};

/** Returns a file. */
export const getFile = async (context: OpenaiContext, fileId: string): Promise<OpenaiResult> =>
  toFileObject(await requireFile(context, fileId));

/** Bytes up to which a response contains the file. A response has at most 6 MiB, and bytes are in base64. */
const maxInlineBytes = 4 * 1024 * 1024;

/** Seconds for which the URL of a large file is valid. */
const downloadSeconds = 300;

/** Returns the bytes of a file, or a redirect to them. */
export const getFileContent = async (context: OpenaiContext, fileId: string): Promise<OpenaiResult> => {
  const file = await requireFile(context, fileId);
  if (file.isStored && file.sizeBytes > maxInlineBytes) {
    const object = { ...context.files.objectOf(file), filename: file.filename, expiresInSeconds: downloadSeconds };
    return { location: await context.downloads.presignGet(object.region, object) };
  }
  const bytes = await context.files.read(file);
  if (bytes === null) throw new AppError('not_found', 'The file has no content');
  return { content: bytes, contentType: file.contentType };
};

/** Removes a file from every store, and deletes it. It can be repeated after a failure. */
export const deleteFile = async (context: OpenaiContext, fileId: string): Promise<OpenaiResult> => {
  requireWrite(context);
  const found = await requireFile(context, fileId);
  // Marked before the attachments are read: an attachment of that time sees the mark, or is found here.
  const file = await context.files.startRemoval(found, context.session.clock.now());
  if (file !== null) {
    for await (const attachment of context.files.attachments(file.organizationId, file.id))
      await detachFile(context, attachment);
    await context.files.remove(file);
  }
  return { id: fileId, object: 'file', deleted: true };
};
