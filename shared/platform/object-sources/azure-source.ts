import { AnonymousCredential, BlobClient, RestError } from '@azure/storage-blob';
import { asSource, type ObjectSource } from './port.ts';

/** A shared access signature; null for a public blob. */
export type AzureAccess = { readonly sas_token: string } | null;

const forbidden = 403;

const statusOf = (error: unknown): number | undefined => {
  if (!(error instanceof RestError)) return undefined;
  // An account that gives nothing to the public refuses with the status of a blob that is archived.
  const isClosed = error.response?.headers.get('x-ms-error-code') === 'PublicAccessNotPermitted';
  return isClosed ? forbidden : error.statusCode;
};

const addressOf = (
  { account, container, key }: { readonly account: string | null; readonly container: string; readonly key: string },
  access: AzureAccess,
  endpoint: string | null,
): string => {
  const path = key.split('/').map(encodeURIComponent).join('/');
  const host = endpoint === null ? `https://${account ?? ''}.blob.core.windows.net` : `${endpoint}/${account ?? ''}`;
  const query = access === null ? '' : `?${access.sas_token.replace(/^\?/, '')}`;
  return `${host}/${container}/${path}${query}`;
};

/** A blob of Azure Storage. Source: Azure Storage REST API, Get Blob Properties and Get Blob. */
export const openAzureSource = (
  place: { readonly account: string | null; readonly container: string; readonly key: string },
  access: AzureAccess,
  { endpoint }: { readonly endpoint: string | null },
): ObjectSource => {
  const blob = new BlobClient(addressOf(place, access, endpoint), new AnonymousCredential());
  return {
    head: () =>
      asSource(statusOf, false, async () => {
        const { contentLength, etag, contentMD5, contentEncoding } = await blob.getProperties();
        const checksum =
          contentMD5 === undefined ? null : { algorithm: 'md5' as const, hex: Buffer.from(contentMD5).toString('hex') };
        return { sizeBytes: contentLength ?? 0, etag: etag ?? '', checksum, encoding: contentEncoding ?? '' };
      }),
    range: (start, end, etag) =>
      asSource(statusOf, true, () => blob.downloadToBuffer(start, end - start, { conditions: { ifMatch: etag } })),
  };
};
