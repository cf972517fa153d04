import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { checksumOf } from '../../checksum.ts';
import type { FileJobResponse } from '../../schema.ts';
import { StrataError } from '../../strata-error.ts';
import { argument, type Call, type Command, countOption, exitCodes, UsageError } from '../command.ts';

type Outcome = 'uploaded' | 'unchanged' | 'failed';

/** Files of a directory by their paths with `/`, without names that begin with a dot. */
const filesOf = async (directory: string): Promise<readonly string[]> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(directory, join(parentPath, name)).replaceAll(sep, '/'))
    .filter((path) => !path.split('/').some((name) => name.startsWith('.')))
    .toSorted();
};

/** Newest job of each file name that has its content or will have it. */
const currentJobs = async (call: Call, indexId: string): Promise<ReadonlyMap<string, FileJobResponse>> => {
  const params = { path: { index_id: indexId }, query: { limit: 1_000 } };
  const newest = new Map<string, FileJobResponse>();
  for await (const job of call.client().pages('/v1/indexes/{index_id}/files', { params })) {
    if (!/^(?:failed|cancelled|expired)$/.test(job.status) && !newest.has(job.filename)) newest.set(job.filename, job);
  }
  return newest;
};

const uploadFile = async (
  call: Call,
  indexId: string,
  directory: string,
  path: string,
  job: FileJobResponse | undefined,
): Promise<Outcome> => {
  const content = await openAsBlob(join(directory, path));
  const checksum = (await checksumOf(content)) ?? '';
  // A job has its checksum in the format in which it was given.
  const isSame = [checksum, Buffer.from(checksum, 'hex').toString('base64')].includes(job?.checksum_sha256 ?? '-');
  if (isSame && job?.status !== 'awaiting_upload') return 'unchanged';
  const client = call.client();
  const isReplaced = job?.status.startsWith('completed') === true;
  // The same key in every run: a repeat after a kill returns the job of the first attempt.
  const upload = (attempt: string) =>
    client.uploadFile(indexId, {
      filename: path,
      contentType: 'application/octet-stream',
      content,
      idempotencyKey: createHash('sha256')
        .update(JSON.stringify([indexId, path, checksum, isReplaced ? job.id : '', attempt]))
        .digest('hex'),
      ...(isReplaced && { replaces: job.id }),
    });
  try {
    await upload('');
  } catch (error) {
    if (!(error instanceof StrataError)) throw error;
    // The URL accepts exactly this file once, so an earlier run has sent it.
    if (error.status === 412) return 'uploaded';
    if (error.status !== 403 || job?.status !== 'awaiting_upload') throw error;
    // The upload URL of an earlier run has expired. Its job would wait for nothing.
    await client.post('/v1/indexes/{index_id}/files/{job_id}/cancel', {
      params: { path: { index_id: indexId, job_id: job.id } },
    });
    await upload(job.id);
  }
  return 'uploaded';
};

export const push: Command = {
  usage: 'push DIR [--concurrency N]',
  summary: 'uploads new and changed files; resumes after an interruption',
  options: { concurrency: { type: 'string' } },
  run: async (call) => {
    const directory = argument(call, 0, 'DIR');
    const workers = countOption(call, 'concurrency', 8);
    const indexId = await call.indexId();
    const paths = await filesOf(directory);
    const jobs = await currentJobs(call, indexId);
    const counts: Record<Outcome, number> = { uploaded: 0, unchanged: 0, failed: 0 };
    const waiting = paths.values();
    const work = async (): Promise<void> => {
      for (const path of waiting) {
        try {
          counts[await uploadFile(call, indexId, directory, path, jobs.get(path))] += 1;
        } catch (error) {
          const isDenied = error instanceof StrataError && (error.status === 401 || error.status === 403);
          if (isDenied || error instanceof UsageError) throw error;
          counts.failed += 1;
          call.note(`${path}: ${error instanceof Error ? error.message : String(error)}`);
        }
        call.note(`${counts.uploaded + counts.unchanged + counts.failed}/${paths.length} files`, true);
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
    const { uploaded, unchanged, failed } = counts;
    call.print({ index_id: indexId, ...counts }, `${uploaded} uploaded, ${unchanged} unchanged, ${failed} failed`);
    return failed > 0 ? exitCodes.failed : 0;
  },
};
