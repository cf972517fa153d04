import type { bindOperations } from './operations.ts';
import { checksumOf } from './checksum.ts';
import { pause } from './pause.ts';
import { repeat } from './repeat.ts';
import type { FileJobResponse, FileJobStatus, FileMetadata, FileUploadResponse, OnDuplicate } from './schema.ts';
import { StrataError } from './strata-error.ts';

/** A file to upload. */
export interface FileToUpload {
  /** Name of the file; that of a `File` if absent. */
  readonly filename?: string;
  /** Media type, such as `application/pdf`; that of a `Blob` or `File` if absent. The service detects most formats itself. */
  readonly contentType?: string;
  /** Content. `fs.openAsBlob` returns a Blob that is read from disk while it is sent. */
  readonly content: Blob | Uint8Array<ArrayBuffer>;
  /** Metadata, stored with every chunk. `chunk_size` and `chunk_overlap` set how the text is split. */
  readonly metadata?: FileMetadata;
  /** For files of rows: true embeds their texts, and ignores their vectors. */
  readonly embed?: boolean;
  /** Job whose content the file replaces. */
  readonly replaces?: string;
  /**
   * If a file of the index has the same name: `keep` stores both, `skip` stores nothing if the content is equal too, and
   * `replace` replaces the newest one. `keep` if absent.
   */
  readonly onDuplicate?: OnDuplicate;
  /** Key under which the file job is created once, also by later calls within a day. Random if absent. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

export interface WaitOptions {
  /** Half an hour if absent. */
  readonly timeoutSeconds?: number;
  /** Called with the state of the job after each poll. */
  readonly onJob?: (job: FileJobResponse) => void;
  readonly signal?: AbortSignal;
}

const underWay: ReadonlySet<FileJobStatus> = new Set(['awaiting_upload', 'queued', 'processing']);
const [firstPollMs, maxPollMs] = [100, 2_000];
const defaultTimeoutSeconds = 1_800;
/** Maximum of a timer. */
const maxTimeoutMs = 2 ** 31 - 1;

/** Name of a content that is a `File`. Throws TypeError for another content. */
const nameOf = (content: Blob | Uint8Array): string => {
  if (content instanceof Blob && 'name' in content && typeof content.name === 'string') return content.name;
  throw new TypeError('filename is missing: pass it with a content that is no File');
};

/** Body of the file job, with the size and the checksum of the file. */
const describe = async ({ filename, contentType, content, metadata = {}, embed }: FileToUpload) => ({
  filename: filename ?? nameOf(content),
  content_type: contentType ?? ((content instanceof Blob && content.type) || 'application/octet-stream'),
  checksum_sha256: await checksumOf(content),
  size_bytes: content instanceof Blob ? content.size : content.byteLength,
  metadata,
  ...(embed === true ? { embed } : {}),
});

/**
 * Sends a content to the upload URL of a job. Throws a StrataError: 412 if the content has arrived before, 403 if the URL has
 * expired.
 */
export const putContent = async (
  { upload_url: url, upload_headers: headers }: FileUploadResponse,
  { filename, content }: { readonly filename: string; readonly content: FileToUpload['content'] },
  { retries, signal }: { readonly retries: number; readonly signal: AbortSignal | null },
): Promise<void> => {
  const put = () => fetch(url, { method: 'PUT', headers, body: content, signal, redirect: 'manual' });
  // The URL accepts exactly this file once: a 412 to a retry means that the file has arrived.
  const response = await repeat(put, { retries, signal, done: 412 });
  if (!response.ok) throw new StrataError(`PUT of ${filename}`, response, await response.text());
};

/** Methods for files that consist of several requests. */
export const bindFiles = ({ get, post }: ReturnType<typeof bindOperations>, retries: number) => ({
  /**
   * Creates a file job and uploads the file with its size and checksum. Resolves when the file has arrived. `waitForFile`
   * returns the result. With `onDuplicate: 'skip'`, resolves to the existing job of an equal file, which has a `status`.
   * Throws a StrataError, also for refusals of the object store.
   */
  uploadFile: async (indexId: string, file: FileToUpload): Promise<FileUploadResponse | FileJobResponse> => {
    const { replaces, onDuplicate, idempotencyKey, signal = null } = file;
    if (replaces !== undefined && onDuplicate !== undefined)
      throw new TypeError('replaces names the job to replace, so onDuplicate has no effect: pass one of them');
    const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    const body = await describe(file);
    const upload =
      replaces === undefined
        ? await post('/v1/indexes/{index_id}/files', {
            params: { path: { index_id: indexId } },
            headers,
            body: onDuplicate === undefined ? body : { ...body, on_duplicate: onDuplicate },
            signal,
          })
        : await post('/v1/indexes/{index_id}/files/{job_id}/replace', {
            params: { path: { index_id: indexId, job_id: replaces } },
            headers,
            body,
            signal,
          });
    if (!('upload_url' in upload)) return upload;
    await putContent(upload, { ...file, filename: body.filename }, { retries, signal }).catch((error: unknown) => {
      // The job of an equal file may have got its file from another upload.
      const hasArrived = onDuplicate === 'skip' && error instanceof StrataError && error.status === 412;
      if (!hasArrived) throw error;
    });
    return upload;
  },

  /** Waits until a file job has ended, even by failing, and resolves to it. Throws StrataError, and Error after the timeout. */
  waitForFile: async (indexId: string, jobId: string, options: WaitOptions = {}): Promise<FileJobResponse> => {
    const { timeoutSeconds = defaultTimeoutSeconds, onJob, signal } = options;
    const timeout = AbortSignal.timeout(Math.min(Math.ceil(timeoutSeconds * 1000), maxTimeoutMs));
    const end = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    const params = { path: { index_id: indexId, job_id: jobId } };
    let status = 'of unknown status';
    try {
      for (let pollMs = firstPollMs; ; pollMs = Math.min(1.5 * pollMs, maxPollMs)) {
        const job = await get('/v1/indexes/{index_id}/files/{job_id}', { params, signal: end });
        onJob?.(job);
        if (!underWay.has(job.status)) return job;
        status = job.status;
        await pause(pollMs, end);
      }
    } catch (error) {
      if (error !== timeout.reason) throw error;
      throw new Error(`${jobId} was ${status} after ${timeoutSeconds} s`, { cause: error });
    }
  },
});
