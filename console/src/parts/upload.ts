import type { FileJobResponse, StrataClient } from '#client';

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
    request.send(file);
  });

/** Requests for existing files that are sent concurrently. */
const parallelLookups = 4;

/** Returns the newest file of an index for each name of some files, if it is open or has content. */
export const findExisting = async (
  client: StrataClient,
  indexId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, FileJobResponse>> => {
  const existing = new Map<string, FileJobResponse>();
  const waiting = [...new Set(names)];
  const look = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const params = {
        path: { index_id: indexId },
        query: { q: name, status: 'awaiting_upload,queued,processing,completed,completed_with_warnings', limit: 100 },
      };
      for await (const job of client.pages('/v1/indexes/{index_id}/files', { params })) {
        if (job.filename.normalize() !== name.normalize()) continue;
        existing.set(name, job);
        break;
      }
    }
  };
  await Promise.all(Array.from({ length: parallelLookups }, look));
  return existing;
};

/**
 * Creates a file job and uploads the file with its size and checksum. Resolves to the id of the job.
 * @param replaced File of the same name that it replaces; null: none.
 */
export const uploadFile = async (
  client: StrataClient,
  indexId: string,
  file: File,
  replaced: FileJobResponse | null,
  onShare: (share: number) => void,
): Promise<string> => {
  const checksum =
    file.size <= maxCheckedBytes ? hexadecimal(await crypto.subtle.digest('SHA-256', await file.arrayBuffer())) : null;
  const path = { index_id: indexId };
  const body = {
    filename: file.name,
    content_type: /^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : 'application/octet-stream',
    size_bytes: file.size,
    checksum_sha256: checksum,
  };
  // A replacement by name needs a checksum.
  const upload =
    replaced !== null && checksum === null
      ? await client.post('/v1/indexes/{index_id}/files/{job_id}/replace', {
          params: { path: { ...path, job_id: replaced.id } },
          body,
        })
      : await client.post('/v1/indexes/{index_id}/files', {
          params: { path },
          body: replaced === null ? body : { ...body, on_duplicate: 'replace' },
        });
  if ('upload_url' in upload) await put(upload.upload_url, upload.upload_headers, file, onShare);
  return upload.id;
};
