import type { FileJobResponse, StrataClient } from '#client';
import { inParallel } from '../../../shared/kernel/in-parallel.ts';

/** Largest file whose checksum is computed: it is read into memory for that. */
const maxCheckedBytes = 128 * 1024 * 1024;

const hexadecimal = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Sends a file and reports the share that was sent. `fetch` cannot report it. */
const put = (
  url: string,
  headers: Readonly<Record<string, string>>,
  file: File,
  onShare: (share: number) => void,
  signal: AbortSignal,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    for (const [name, value] of Object.entries(headers)) {
      // The browser sets the length itself.
      if (name.toLowerCase() !== 'content-length') request.setRequestHeader(name, value);
    }
    request.upload.addEventListener('progress', ({ loaded, total }) => onShare(total === 0 ? 1 : loaded / total));
    request.addEventListener('load', () => {
      // The address accepts the file once: a 412 says that it has arrived.
      if (request.status < 300 || request.status === 412) resolve();
      else reject(new Error(`The object store refused ${file.name} with ${request.status}`));
    });
    request.addEventListener('error', () => reject(new Error(`${file.name} could not be sent`)));
    request.addEventListener('abort', () => reject(new Error(`${file.name} was cancelled`)));
    signal.addEventListener('abort', () => request.abort());
    if (signal.aborted) reject(new Error(`${file.name} was cancelled`));
    else request.send(file);
  });

/** Requests for existing files that are sent concurrently. */
const parallelLookups = 4;

/** Names that are looked up one by one. The files of an index are read for more. */
const maxLookups = 50;

const openOrStored = 'awaiting_upload,queued,processing,completed,completed_with_warnings';

/** Returns the newest file of an index for each name of some files, if it is open or has content. */
export const findExisting = async (
  client: StrataClient,
  indexId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, FileJobResponse>> => {
  const existing = new Map<string, FileJobResponse>();
  const byName = new Map(names.map((name) => [name.normalize(), name]));
  /** Reads files until as many names are found. */
  const look = async (query: { readonly q?: string; readonly limit: number }, wanted: ReadonlySet<string>) => {
    const params = { path: { index_id: indexId }, query: { status: openOrStored, ...query } };
    let found = 0;
    for await (const job of client.pages('/v1/indexes/{index_id}/files', { params })) {
      const name = byName.get(job.filename.normalize());
      if (name === undefined || !wanted.has(name) || existing.has(name)) continue;
      existing.set(name, job);
      found += 1;
      if (found === wanted.size) return;
    }
  };
  const wanted = [...byName.values()];
  if (wanted.length > maxLookups) await look({ limit: 1_000 }, new Set(wanted));
  else await inParallel(wanted, parallelLookups, (q) => look({ q, limit: 100 }, new Set([q])));
  return existing;
};

interface UploadOrder {
  readonly client: StrataClient;
  readonly indexId: string;
  readonly name: string;
  readonly file: File;
  /** File of the same name that it replaces; null: none. */
  readonly replaced: FileJobResponse | null;
  /** Metadata of its rows. */
  readonly metadata: FileJobResponse['metadata'];
  readonly onShare: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Creates a file job and uploads the file with its size and checksum. Cancels the job if the file is not sent. */
export const uploadFile = async (order: UploadOrder): Promise<void> => {
  const { client, indexId, name, file, replaced, metadata, onShare, signal } = order;
  const checksum =
    file.size <= maxCheckedBytes ? hexadecimal(await crypto.subtle.digest('SHA-256', await file.arrayBuffer())) : null;
  const path = { index_id: indexId };
  const body = {
    filename: name,
    content_type: /^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : 'application/octet-stream',
    size_bytes: file.size,
    checksum_sha256: checksum,
    metadata,
  };
  // A replacement by name needs a checksum.
  const upload =
    replaced !== null && checksum === null
      ? await client.post('/v1/indexes/{index_id}/files/{job_id}/replace', {
          params: { path: { ...path, job_id: replaced.id } },
          body,
          signal,
        })
      : await client.post('/v1/indexes/{index_id}/files', {
          params: { path },
          body: replaced === null ? body : { ...body, on_duplicate: 'replace' },
          signal,
        });
  if (!('upload_url' in upload)) return;
  try {
    await put(upload.upload_url, upload.upload_headers, file, onShare, signal);
  } catch (error) {
    const params = { path: { ...path, job_id: upload.id } };
    await client.post('/v1/indexes/{index_id}/files/{job_id}/cancel', { params }).catch(() => {});
    throw error;
  }
};
