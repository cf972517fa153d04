import { AppError } from '../../../shared/kernel/errors.ts';
import { newId, timeOf } from '../../../shared/kernel/ids.ts';
import { FileUploadCreate } from '../../../shared/files/index.ts';
import { problemsOf } from '../../../shared/http/validation-problems.ts';
import { ValidationFailure } from '../../../shared/kernel/errors.ts';
import type { StoredFile } from '../../../shared/openai-files/index.ts';
import {
  isVisible,
  listOf,
  type OpenaiContext,
  type OpenaiResult,
  pageOf,
  requireFile,
  requireWrite,
  secondsOf,
} from './context.ts';
import { invalidParam, unsupported } from './error-format.ts';
import { detachFile } from './store-files.ts';

const toFileObject = (file: StoredFile) => ({
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

const purposes: ReadonlySet<unknown> = new Set(['assistants', 'user_data']);

const formOf = async ({ request, contentType }: OpenaiContext): Promise<FormData> => {
  try {
    const body = new Uint8Array(request.body);
    // oxlint-disable-next-line typescript/no-deprecated -- the whole body is in memory already
    return await new Response(body, { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw new AppError('bad_request', 'The body must be multipart/form-data with the fields file and purpose');
  }
};

/** Uploads a file. */
export const createFile = async (context: OpenaiContext): Promise<OpenaiResult> => {
  requireWrite(context);
  const form = await formOf(context);
  const [sent, purpose] = [form.get('file'), form.get('purpose')];
  if (!(sent instanceof File)) throw invalidParam('file', 'The field file must be a file');
  if (typeof purpose !== 'string' || !purposes.has(purpose))
    throw unsupported('purpose', 'The purpose of a file is assistants or user_data');
  if ([...form.keys()].some((name) => name.startsWith('expires_after')))
    throw unsupported('expires_after', 'Files do not expire');
  const { caller, clock } = context.session;
  const label = { filename: sent.name, content_type: sent.type === '' ? 'application/octet-stream' : sent.type };
  const parsed = FileUploadCreate.safeParse(label);
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
  };
  await context.files.create(file, bytes);
  return toFileObject(file);
};

/** Lists files. */
export const listFiles = async (context: OpenaiContext): Promise<OpenaiResult> => {
  const { limit, after } = pageOf(context, 10_000);
  const { order = 'desc', purpose } = context.request.query;
  if (order !== 'asc' && order !== 'desc') throw invalidParam('order', 'An order is asc or desc');
  const { organizationId } = context.session.caller;
  const found: StoredFile[] = [];
  let [position, hasMore] = [after, true];
  while (hasMore && found.length < limit) {
    const page = await context.files.list(organizationId, {
      after: position,
      limit: limit - found.length,
      newestFirst: order === 'desc',
    });
    found.push(...page.files.filter((file) => isVisible(context, file) && (purpose ?? file.purpose) === file.purpose));
    position = page.files.at(-1)?.id ?? position;
    ({ hasMore } = page);
  }
  return listOf(found.map(toFileObject), hasMore);
};

/** Returns a file. */
export const getFile = async (context: OpenaiContext, fileId: string): Promise<OpenaiResult> =>
  toFileObject(await requireFile(context, fileId));

/** Returns the bytes of a file. */
export const getFileContent = async (context: OpenaiContext, fileId: string): Promise<OpenaiResult> => {
  const file = await requireFile(context, fileId);
  const bytes = await context.files.read(file);
  if (bytes === null) throw new AppError('not_found', 'The file has no content');
  return { content: bytes, contentType: file.contentType };
};

/** Removes a file from every store, and deletes it. It can be repeated after a failure. */
export const deleteFile = async (context: OpenaiContext, fileId: string): Promise<OpenaiResult> => {
  requireWrite(context);
  const file = await requireFile(context, fileId);
  for await (const attachment of context.files.attachments(file.organizationId, file.id))
    await detachFile(context, attachment);
  await context.files.remove(file);
  return { id: file.id, object: 'file', deleted: true };
};
