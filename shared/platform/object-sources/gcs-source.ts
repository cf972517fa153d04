import { setMaxListeners } from 'node:events';
import { type Bucket, Storage } from '@google-cloud/storage';
import { JWT, PassThroughClient } from 'google-auth-library';
import {
  asSource,
  base64ToHex,
  type Checksum,
  type ObjectFolder,
  type ObjectSource,
  type Refusal,
  type RefusalReason,
} from './port.ts';

/** Fields of a service account's key file that are needed to read an object; null if the object is public. */
export type GoogleAccess = {
  readonly client_email: string;
  readonly private_key: string;
  readonly project_id?: string | undefined;
} | null;

// The library adds more listeners to its streams than Node.js expects, which would be logged for each part.
const streamListeners = 30;

const scope = 'https://www.googleapis.com/auth/devstorage.read_only';

const statusOf = (error: unknown): number | undefined => {
  const { code, status } = error as { readonly code?: unknown; readonly status?: unknown };
  const value = Number(code ?? status);
  return Number.isInteger(value) ? value : undefined;
};

/**
 * Reason of a refusal. A self-signed token is refused with 401, whose text says whether the account is unknown or the
 * signature is wrong. Source: Cloud Storage JSON API, HTTP status and error codes.
 */
const refusalOf =
  (access: GoogleAccess) =>
  (error: unknown): Refusal => {
    const status = statusOf(error);
    if (access === null) return { status };
    const message = String((error as { readonly message?: unknown }).message);
    const unauthorized: RefusalReason = /signature/i.test(message) ? 'wrong_secret' : 'unknown_key';
    const bucket: RefusalReason = /bucket does not exist/i.test(message) ? 'no_container' : 'no_object';
    const reasons: Readonly<Record<number, RefusalReason>> = { 401: unauthorized, 403: 'no_permission', 404: bucket };
    return { status, reason: status === undefined ? undefined : reasons[status] };
  };

/** Client with self-signed tokens, which need no request to a token endpoint. */
const signerOf = ({ client_email: email, private_key: key }: Exclude<GoogleAccess, null>): JWT => {
  const signer = new JWT({ email, key, scopes: [scope] });
  signer.useJWTAccessWithScope = true;
  return signer;
};

const storageOf = (access: GoogleAccess, endpoint: string | null): Storage =>
  new Storage({
    projectId: access?.project_id ?? 'none',
    authClient: access === null ? new PassThroughClient() : signerOf(access),
    ...(endpoint === null ? {} : { apiEndpoint: endpoint, useAuthWithCustomEndpoint: true }),
  });

const checksumOf = ({ crc32c, md5Hash }: { readonly crc32c?: string; readonly md5Hash?: string }): Checksum | null => {
  if (md5Hash !== undefined) return { algorithm: 'md5', hex: base64ToHex(md5Hash) };
  return crc32c === undefined ? null : { algorithm: 'crc32c', hex: base64ToHex(crc32c) };
};

const objectOf = (bucket: Bucket, key: string, access: GoogleAccess): ObjectSource => ({
  head: () =>
    asSource(refusalOf(access), false, async () => {
      const [metadata] = await bucket.file(key).getMetadata();
      const { size = 0, generation, contentEncoding: encoding = '' } = metadata;
      return { sizeBytes: Number(size), etag: String(generation), checksum: checksumOf(metadata), encoding };
    }),
  range: (start, end, generation) =>
    asSource(refusalOf(access), true, async () => {
      // Reads one generation. The caller checks the checksum of the whole object.
      const file = bucket.file(key, { generation });
      const stream = file.createReadStream({ start, end: end - 1, validation: false, decompress: false });
      return Buffer.concat((await stream.toArray()) as Buffer[]);
    }),
});

interface GcsPlace {
  readonly container: string;
  readonly key: string;
}

const bucketOf = (place: GcsPlace, access: GoogleAccess, endpoint: string | null): Bucket => {
  setMaxListeners(streamListeners);
  return storageOf(access, endpoint).bucket(place.container);
};

/** Opens an object of Google Cloud Storage. Source: Cloud Storage JSON API, Objects: get. */
export const openGcsSource = (
  place: GcsPlace,
  access: GoogleAccess,
  { endpoint }: { readonly endpoint: string | null },
): ObjectSource => objectOf(bucketOf(place, access, endpoint), place.key, access);

/** Opens the objects of a bucket under a prefix. Source: Cloud Storage JSON API, Objects: list. */
export const openGcsFolder = (
  place: GcsPlace,
  access: GoogleAccess,
  { endpoint }: { readonly endpoint: string | null },
): ObjectFolder => {
  const bucket = bucketOf(place, access, endpoint);
  const list = (ask: { readonly maxResults: number; readonly pageToken?: string; readonly delimiter?: string }) =>
    asSource(refusalOf(access), false, async () => {
      const [files, , response] = await bucket.getFiles({ prefix: place.key, autoPaginate: false, ...ask });
      // The body of the response has these fields; the library does not describe it.
      return { files, ...(response as { readonly nextPageToken?: string; readonly prefixes?: readonly string[] }) };
    });
  return {
    list: async (after, limit) => {
      const { files, nextPageToken } = await list({
        maxResults: limit,
        ...(after === null ? {} : { pageToken: after }),
      });
      const objects = files.map(({ name, metadata }) => ({
        key: name,
        sizeBytes: Number(metadata.size ?? 0),
        version: String(metadata.generation),
      }));
      return { objects, next: nextPageToken ?? null };
    },
    folders: async (after, limit) => {
      const { prefixes = [], nextPageToken } = await list({
        maxResults: limit,
        delimiter: '/',
        ...(after === null ? {} : { pageToken: after }),
      });
      return { folders: prefixes, next: nextPageToken ?? null };
    },
    object: (key) => objectOf(bucket, key, access),
  };
};
