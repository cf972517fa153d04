import { capability, type Runtime } from '../../kernel/capability.ts';
import { type AzureAccess, openAzureFolder, openAzureSource } from './azure-source.ts';
import { type GoogleAccess, openGcsFolder, openGcsSource } from './gcs-source.ts';
import type { ObjectFolder, ObjectSource } from './port.ts';
import { openS3Folder, openS3Source, type S3Access } from './s3-source.ts';
import { openUrlSource, type UrlAccess } from './url-source.ts';

interface Place {
  /** Storage account; only Azure has one. */
  readonly account: string | null;
  /** Bucket or container. */
  readonly container: string;
  /** Key of the object, not encoded. */
  readonly key: string;
}

/** Location of an object with the credentials for it; null if it is public. */
export type SourceAddress =
  | { readonly provider: 'aws_s3'; readonly place: Place; readonly access: S3Access }
  | { readonly provider: 'gcs'; readonly place: Place; readonly access: GoogleAccess }
  | { readonly provider: 'azure_blob'; readonly place: Place; readonly access: AzureAccess }
  | { readonly provider: 'url'; readonly place: Place; readonly access: UrlAccess | null };

/** Opens objects of external storages for an organization. Sends no request by itself. */
export type OpenObjectSource = (address: SourceAddress, organizationId: string) => ObjectSource;

/** Prefix of a bucket with the credentials for it; an S3 of another provider has an endpoint and a region. */
export type FolderAddress =
  | {
      readonly provider: 'aws_s3';
      readonly place: Place;
      readonly access: S3Access;
      readonly endpoint: string | null;
      readonly region: string | null;
    }
  | Extract<SourceAddress, { readonly provider: 'gcs' | 'azure_blob' }>;

/** Opens prefixes of buckets for an organization. Sends no request by itself. */
export type OpenObjectFolder = (address: FolderAddress, organizationId: string) => ObjectFolder;

const s3Settings = ({ config }: Runtime, organizationId: string) => ({
  endpoint: config.imports.s3Endpoint,
  region: config.region,
  externalId: organizationId,
  accountId: config.accountId,
});

const openSources =
  (runtime: Runtime): OpenObjectSource =>
  (address, organizationId) => {
    const { allowLocalWebhooks, imports } = runtime.config;
    switch (address.provider) {
      case 'aws_s3':
        return openS3Source(address.place, address.access, s3Settings(runtime, organizationId));
      case 'gcs':
        return openGcsSource(address.place, address.access, { endpoint: imports.gcsEndpoint });
      case 'azure_blob':
        return openAzureSource(address.place, address.access, { endpoint: imports.azureEndpoint });
      case 'url':
        return openUrlSource(address.place.container + address.place.key, address.access ?? { query: '' }, {
          allowLocal: allowLocalWebhooks,
        });
    }
  };

/** Opens prefixes of buckets. Its user has the capabilities `network.public` and `roles.assume`. */
export const openObjectFolders =
  (runtime: Runtime): OpenObjectFolder =>
  (address, organizationId) => {
    const { allowLocalWebhooks, imports } = runtime.config;
    switch (address.provider) {
      case 'aws_s3':
        return openS3Folder(address.place, address.access, {
          ...s3Settings(runtime, organizationId),
          callerEndpoint: address.endpoint ?? undefined,
          callerRegion: address.region ?? undefined,
          allowLocal: allowLocalWebhooks,
        });
      case 'gcs':
        return openGcsFolder(address.place, address.access, { endpoint: imports.gcsEndpoint });
      case 'azure_blob':
        return openAzureFolder(address.place, address.access, { endpoint: imports.azureEndpoint });
    }
  };

export const objectSources = capability<OpenObjectSource>(['network.public', 'roles.assume'], openSources);
