import type { StrataClient } from '#client';

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

/** Creates a file job and uploads the file with its size and checksum. Resolves to the id of the job. */
export const uploadFile = async (
  client: StrataClient,
  indexId: string,
  file: File,
  onShare: (share: number) => void,
): Promise<string> => {
  const checksum =
    file.size <= maxCheckedBytes ? hexadecimal(await crypto.subtle.digest('SHA-256', await file.arrayBuffer())) : null;
  const upload = await client.post('/v1/indexes/{index_id}/files', {
    params: { path: { index_id: indexId } },
    body: {
      filename: file.name,
      content_type: /^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : 'application/octet-stream',
      size_bytes: file.size,
      checksum_sha256: checksum,
    },
  });
  await put(upload.upload_url, upload.upload_headers, file, onShare);
  return upload.id;
};
