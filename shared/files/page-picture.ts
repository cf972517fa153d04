import * as z from 'zod';
import type { Deps } from '../kernel/capability.ts';
import { integerText } from '../http/schema-helpers.ts';
import { pagePictureKey } from '../kernel/content-keys.ts';
import { AppError } from '../kernel/errors.ts';
import type { RequestWeight } from '../kernel/plans.ts';
import { contentReader, contentWriter } from '../platform/aws/content.ts';
import { type DrawnPage, pageRendererUse, type PageRequest, UnreadableFile } from '#documents';
import { isCompleted } from './job-state.ts';
import { addressOfJob, type JobRecord } from './record.ts';
import type { filesRead } from './repository.ts';
import { sourceFileOf } from './source-file.ts';

/** Capabilities that a picture of a page needs. */
export const pagePictureUses = {
  content: contentReader('uploads', 'batches'),
  stored: contentWriter({ puts: ['batches'] }),
  pages: pageRendererUse,
};

type PictureDeps = Deps<typeof pagePictureUses & { files: typeof filesRead }>;

/** Weight of a picture, which takes a second of a processor. */
export const pictureWeight = (): RequestWeight => ({ rate: 5, inFlight: 5 });

export const PictureQuery = z.strictObject({
  attachment: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Name of a file within the file, such as an attachment of a mail, whose page is returned.'),
  width: integerText(100, 2_400)
    .default(1_200)
    .describe(
      'Width of the picture in pixels. It is less for a page with much detail, and for an image that has less. Default 1200.',
    ),
});

/**
 * Returns the number of pages of a completed job, as far as it is known without its file. Throws 409 if its file has none.
 * @param isWithin Whether a file within it is meant.
 */
const countPages = async ({ files }: PictureDeps, job: JobRecord, isWithin: boolean): Promise<number> => {
  if (!isCompleted(job)) throw new AppError('conflict', `The job is ${job.status}. Only a completed file has pages`);
  if (isWithin) return Number.POSITIVE_INFINITY;
  const tasks = await files.tasks(job.organizationId, job.id);
  if (tasks.some(({ paged }) => !paged)) throw new AppError('conflict', 'A file of this format has no pages');
  return Math.max(0, ...tasks.map(({ unitEnd }) => unitEnd));
};

const pageNotFound = (pages: number): AppError =>
  new AppError('not_found', `Page not found. The file has ${pages} ${pages === 1 ? 'page' : 'pages'}`, {
    fields: { pages },
  });

const drawPage = async ({ content, pages }: PictureDeps, job: JobRecord, request: PageRequest): Promise<DrawnPage> => {
  const bytes = await content.get(job.region, job.objectKey);
  if (bytes === null) throw new AppError('conflict', 'The original of the file is not stored');
  try {
    return await pages.draw(sourceFileOf(job, bytes), request);
  } catch (error) {
    if (error instanceof UnreadableFile) throw new AppError('conflict', error.message, { cause: error });
    throw error;
  }
};

/**
 * Returns the picture of a page of a job's file as a PNG. It is drawn at its first request. Throws 404 beyond the last page,
 * and 409 for a file without pictures of its pages.
 */
export const readPagePicture = async (deps: PictureDeps, job: JobRecord, request: PageRequest): Promise<Uint8Array> => {
  const { page, width, attachment } = request;
  const known = await countPages(deps, job, attachment !== undefined);
  if (page > known) throw pageNotFound(known);
  const key = pagePictureKey(addressOfJob(job), { page, width, attachment });
  const stored = await deps.content.get(job.region, key);
  if (stored !== null) return stored;
  const { pages, png } = await drawPage(deps, job, request);
  if (png === null) throw pageNotFound(pages);
  await deps.stored.put(job.region, key, png, 'image/png');
  return png;
};
