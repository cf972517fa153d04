import {
  AnonymousCredential,
  BlobClient,
  ContainerClient,
  type ContainerListBlobFlatSegmentResponse,
  type ContainerListBlobHierarchySegmentResponse,
  RestError,
} from '@azure/storage-blob';
import { asSource, type ObjectFolder, type ObjectSource, type Refusal, type RefusalReason } from './port.ts';

/** A shared access signature; null for a public blob. */
export type AzureAccess = { readonly sas_token: string } | null;

const forbidden = 403;

/** Source: Azure Storage, common REST API error codes. */
const reasons: Readonly<Record<string, RefusalReason>> = {
  AuthenticationFailed: 'wrong_secret',
  AuthorizationPermissionMismatch: 'no_permission',
  AuthorizationResourceTypeMismatch: 'no_permission',
  AuthorizationServiceMismatch: 'no_permission',
  AuthorizationFailure: 'firewall',
  ContainerNotFound: 'no_container',
  BlobNotFound: 'no_object',
};

/** Whether a shared access signature has expired. Azure refuses it like a wrong one. */
const isExpired = (access: AzureAccess): boolean => {
  const expiry = access === null ? null : new URLSearchParams(access.sas_token.replace(/^\?/, '')).get('se');
  return expiry !== null && Date.parse(expiry) < Date.now();
};

const refusalOf =
  (access: AzureAccess) =>
  (error: unknown): Refusal => {
    if (!(error instanceof RestError)) return { status: undefined };
    const code = error.response?.headers.get('x-ms-error-code') ?? '';
    // An account without public access refuses with the status of an archived blob.
    const status = code === 'PublicAccessNotPermitted' ? forbidden : error.statusCode;
    // Without a signature, only public access can be the cause.
    if (access === null) return { status };
    return { status, reason: code === 'AuthenticationFailed' && isExpired(access) ? 'expired' : reasons[code] };
  };

interface AzurePlace {
  readonly account: string | null;
  readonly container: string;
  readonly key: string;
}

/** Returns the address of a blob, or of its container if the key is empty. */
const addressOf = ({ account, container, key }: AzurePlace, access: AzureAccess, endpoint: string | null): string => {
  const path = key === '' ? '' : `/${key.split('/').map(encodeURIComponent).join('/')}`;
  const host = endpoint === null ? `https://${account ?? ''}.blob.core.windows.net` : `${endpoint}/${account ?? ''}`;
  const query = access === null ? '' : `?${access.sas_token.replace(/^\?/, '')}`;
  return `${host}/${container}${path}${query}`;
};

/** Opens a blob of Azure Storage. Source: Azure Storage REST API, Get Blob Properties and Get Blob. */
export const openAzureSource = (
  place: AzurePlace,
  access: AzureAccess,
  { endpoint }: { readonly endpoint: string | null },
): ObjectSource => {
  const blob = new BlobClient(addressOf(place, access, endpoint), new AnonymousCredential());
  return {
    head: () =>
      asSource(refusalOf(access), false, async () => {
        const { contentLength, etag, contentMD5, contentEncoding } = await blob.getProperties();
        const checksum =
          contentMD5 === undefined ? null : { algorithm: 'md5' as const, hex: Buffer.from(contentMD5).toString('hex') };
        return { sizeBytes: contentLength ?? 0, etag: etag ?? '', checksum, encoding: contentEncoding ?? '' };
      }),
    range: (start, end, etag) =>
      asSource(refusalOf(access), true, () =>
        blob.downloadToBuffer(start, end - start, { conditions: { ifMatch: etag } }),
      ),
  };
};

/** Opens the blobs of a container under a prefix. Source: Azure Storage REST API, List Blobs. */
export const openAzureFolder = (
  place: AzurePlace,
  access: AzureAccess,
  settings: { readonly endpoint: string | null },
): ObjectFolder => {
  const address = addressOf({ ...place, key: '' }, access, settings.endpoint);
  const container = new ContainerClient(address, new AnonymousCredential());
  return {
    list: (after, limit) =>
      asSource(refusalOf(access), false, async () => {
        const pages = container
          .listBlobsFlat({ prefix: place.key })
          .byPage({ maxPageSize: limit, ...(after === null ? {} : { continuationToken: after }) });
        const page = (await pages.next()).value as ContainerListBlobFlatSegmentResponse;
        const objects = page.segment.blobItems.map(({ name, properties }) => ({
          key: name,
          sizeBytes: properties.contentLength ?? 0,
          version: properties.etag,
        }));
        return { objects, next: page.continuationToken === '' ? null : (page.continuationToken ?? null) };
      }),
    folders: (after, limit) =>
      asSource(refusalOf(access), false, async () => {
        const pages = container
          .listBlobsByHierarchy('/', { prefix: place.key })
          .byPage({ maxPageSize: limit, ...(after === null ? {} : { continuationToken: after }) });
        const page = (await pages.next()).value as ContainerListBlobHierarchySegmentResponse;
        const folders = (page.segment.blobPrefixes ?? []).map(({ name }) => name);
        return { folders, next: page.continuationToken === '' ? null : (page.continuationToken ?? null) };
      }),
    object: (key) => openAzureSource({ ...place, key }, access, settings),
  };
};
