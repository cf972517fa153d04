import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { requireAllowedSize } from '../../../shared/files/index.ts';
import { AppError, notFound, unavailable } from '../../../shared/kernel/errors.ts';
import { hourMs } from '../../../shared/kernel/durations.ts';
import { idPattern, newId, timeOf } from '../../../shared/kernel/ids.ts';
import { inParallel } from '../../../shared/kernel/in-parallel.ts';
import { maxParts, type StoredFile, type Upload } from '../../../shared/openai-files/index.ts';
import { isVisible, type OpenaiContext, secondsOf, restrictionOf } from './context.ts';
import { invalidParam } from './error-format.ts';
import { toFileObject } from './files.ts';
import type { PartForm, UploadComplete, UploadCreate } from './schemas.ts';

/** Milliseconds for which an upload takes parts. */
const openMs = hourMs;

/** Maximum parts that are read concurrently. */
const readAtOnce = 4;

const statusOf = ({ status, expiresAt }: Upload, now: Date): string => {
  if (status === 'completing') return 'pending';
  return status === 'pending' && expiresAt < now.toISOString() ? 'expired' : status;
};

const toUploadObject = ({ session: { clock } }: OpenaiContext, upload: Upload, file: StoredFile | null = null) => ({
  id: upload.id,
  object: 'upload',
  bytes: upload.sizeBytes,
  created_at: secondsOf(timeOf(upload.id)),
  expires_at: secondsOf(upload.expiresAt),
  filename: upload.filename,
  purpose: upload.purpose,
  status: statusOf(upload, clock.now()),
  file: file === null ? null : toFileObject(file),
});

/** Starts an upload in parts. */
export const createUpload = async (context: OpenaiContext, body: z.output<typeof UploadCreate>) => {
  const { caller, clock } = context.session;
  requireAllowedSize(caller, body.bytes);
  const now = clock.now();
  const upload: Upload = {
    id: newId('upload', now),
    organizationId: caller.organizationId,
    fileId: newId('file', now),
    filename: body.filename,
    contentType: body.mime_type,
    purpose: body.purpose,
    sizeBytes: body.bytes,
    restrictedTo: restrictionOf(context),
    status: 'pending',
    expiresAt: new Date(now.getTime() + openMs).toISOString(),
  };
  await context.uploads.create(upload, caller.plan);
  return toUploadObject(context, upload);
};

const requireUpload = async (context: OpenaiContext, uploadId: string): Promise<Upload> => {
  const { organizationId } = context.session.caller;
  const upload = idPattern('upload').test(uploadId) ? await context.uploads.get(organizationId, uploadId) : null;
  if (upload === null || !isVisible(context, upload)) throw notFound('Upload');
  return upload;
};

const requirePending = (context: OpenaiContext, upload: Upload): void => {
  const status = statusOf(upload, context.session.clock.now());
  if (status !== 'pending') throw new AppError('conflict', `The upload is ${status}`);
};

/** Stores a part. Its position is known when the upload is completed. */
export const addPart = async (context: OpenaiContext, uploadId: string, { data }: z.output<typeof PartForm>) => {
  const upload = await requireUpload(context, uploadId);
  requirePending(context, upload);
  const bytes = data instanceof File ? new Uint8Array(await data.arrayBuffer()) : Buffer.from(data);
  if (bytes.length === 0) throw invalidParam('data', 'A part may not be empty');
  const partId = newId('part', context.session.clock.now());
  if (!(await context.uploads.addPart(upload, partId, bytes)))
    throw invalidParam(
      'data',
      `The upload has ended, or its parts exceed ${upload.sizeBytes} bytes or ${maxParts} parts`,
    );
  return { id: partId, object: 'upload.part', created_at: secondsOf(timeOf(partId)), upload_id: upload.id };
};

/** Returns the bytes of an upload in the order of its parts. Throws 400. */
const joinParts = async (
  { uploads }: OpenaiContext,
  upload: Upload,
  { part_ids: partIds, md5 }: z.output<typeof UploadComplete>,
): Promise<Uint8Array> => {
  const sizes = await inParallel(partIds, readAtOnce, (partId) => uploads.partBytes(upload, partId));
  if (sizes.includes(null) || new Set(partIds).size < partIds.length)
    throw invalidParam('part_ids', 'Each must be the id of another part of this upload');
  const total = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  if (total !== upload.sizeBytes)
    throw invalidParam('part_ids', `The parts have ${total} bytes, and the upload was created for ${upload.sizeBytes}`);
  const bytes = new Uint8Array(total);
  let end = 0;
  const places = partIds.map((partId, at) => ({ partId, from: (end += sizes[at] ?? 0) - (sizes[at] ?? 0) }));
  await inParallel(places, readAtOnce, async ({ partId, from }) => {
    const part = await uploads.readPart(upload, partId);
    if (part === null) throw unavailable(null, 'The upload is being completed by another request. Try again');
    bytes.set(part, from);
  });
  if (md5 != null && createHash('md5').update(bytes).digest('hex') !== md5.toLowerCase())
    throw invalidParam('md5', 'The parts have another checksum');
  return bytes;
};

/** Joins the parts of an upload to a file. A repeat returns the same file. */
export const completeUpload = async (
  context: OpenaiContext,
  uploadId: string,
  body: z.output<typeof UploadComplete>,
) => {
  const { files, uploads, session } = context;
  let upload = await requireUpload(context, uploadId);
  let file = await files.get(upload.organizationId, upload.fileId);
  if (upload.status !== 'completed') {
    requirePending(context, upload);
    if (file?.isStored !== true) {
      const bytes = await joinParts(context, upload, body);
      if (!(await uploads.claim(upload, session.clock.now())))
        throw unavailable(null, 'Another request is completing or cancelling the upload. Try again');
      file = {
        id: upload.fileId,
        organizationId: upload.organizationId,
        filename: upload.filename,
        contentType: upload.contentType,
        purpose: upload.purpose,
        sizeBytes: upload.sizeBytes,
        restrictedTo: upload.restrictedTo,
        isStored: true,
        deletingAt: null,
      };
      await files.create(file, bytes, session.caller.plan);
    }
    await uploads.finish(upload);
    upload = { ...upload, status: 'completed' };
  }
  return toUploadObject(context, upload, file);
};

/** Cancels an upload. Its parts are deleted. */
export const cancelUpload = async (context: OpenaiContext, uploadId: string) => {
  const upload = await requireUpload(context, uploadId);
  if (!(await context.uploads.cancel(upload)))
    throw new AppError('conflict', 'The upload is completed, or being completed');
  return toUploadObject(context, { ...upload, status: 'cancelled' });
};
