import type * as z from 'zod';
import type { Deps } from '../kernel/capability.ts';
import { jobTextKey, type TextFormat, wholeTextKey } from '../kernel/content-keys.ts';
import { AppError } from '../kernel/errors.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import { contentReader, contentWriter, downloadPresign } from '../platform/aws/content.ts';
import { isCompleted } from './job-state.ts';
import { addressOfJob, type JobRecord, ordinalText, type StoredText } from './record.ts';
import type { filesRead } from './repository.ts';
import { downloadSeconds, type FileTextResponse } from './schemas.ts';

/** Capabilities that a read of the text of a file needs. */
export const fileTextUses = {
  content: contentReader('uploads', 'batches'),
  stored: contentWriter({ puts: ['batches'] }),
  downloads: downloadPresign,
};

type TextDeps = Deps<typeof fileTextUses & { files: typeof filesRead }>;

/** Bytes of a text up to which it is part of a response. */
const maxInlineBytes = 4 * 1024 * 1024;
/** Bytes of a text up to which its parts are joined for a download. */
const maxJoinedBytes = 256 * 1024 * 1024;

const partsAtOnce = 4;

interface TextPart {
  readonly key: string;
  readonly bytes: number;
}

const bytesIn = ({ textBytes, markdownBytes }: StoredText, format: TextFormat): number =>
  format === 'text' ? textBytes : markdownBytes;

/** Returns the stored parts of the text of a job, in order. Throws 409 if some are missing. */
const partsOf = async ({ files }: TextDeps, job: JobRecord, format: TextFormat): Promise<readonly TextPart[]> => {
  if (!isCompleted(job)) throw new AppError('conflict', `The job is ${job.status}. Only a completed file has a text`);
  const tasks = await files.tasks(job.organizationId, job.id);
  return tasks
    .toSorted((one, other) => one.ordinal - other.ordinal)
    .map(({ ordinal, text }) => {
      if (text === null)
        throw new AppError(
          'conflict',
          'The file was read by an earlier release, which stored no text. Retry the job to read it again',
        );
      return { key: jobTextKey(addressOfJob(job), ordinalText(ordinal), format), bytes: bytesIn(text, format) };
    })
    .filter(({ bytes }) => bytes > 0);
};

const join = async ({ content }: TextDeps, region: string, parts: readonly TextPart[]): Promise<Uint8Array> =>
  Buffer.concat(
    await inParallel(parts, partsAtOnce, async ({ key }) => {
      const bytes = await content.get(region, key);
      if (bytes === null) throw new AppError('conflict', 'The text of the file is being deleted');
      return bytes;
    }),
  );

/** Returns the key of an object with the whole text. It is a temporary one if the text has several parts. */
const wholeKey = async (
  deps: TextDeps,
  job: JobRecord,
  format: TextFormat,
  parts: readonly TextPart[],
  bytes: number,
): Promise<string> => {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only.key;
  if (bytes > maxJoinedBytes)
    throw new AppError('conflict', 'The text of the file has more than 256 MB. List its chunks instead');
  const key = wholeTextKey(addressOfJob(job), format);
  const stored = await deps.content.head(job.region, key);
  if (stored?.sizeBytes !== bytes)
    await deps.stored.put(job.region, key, await join(deps, job.region, parts), 'application/octet-stream');
  return key;
};

/** Returns the text of a job, or an address of it if it is long. Throws 409. */
export const readFileText = async (
  deps: TextDeps,
  job: JobRecord,
  format: TextFormat,
): Promise<z.input<typeof FileTextResponse>> => {
  const parts = await partsOf(deps, job, format);
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  if (bytes <= maxInlineBytes) {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await join(deps, job.region, parts));
    return { format, bytes, text, url: null, expires_in_seconds: null };
  }
  const url = await deps.downloads.presignGet(job.region, {
    key: await wholeKey(deps, job, format, parts, bytes),
    filename: `${job.filename}.${format === 'text' ? 'txt' : 'md'}`,
    expiresInSeconds: downloadSeconds,
  });
  return { format, bytes, text: null, url, expires_in_seconds: downloadSeconds };
};
