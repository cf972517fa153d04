import { capability, type Runtime } from '../../kernel/capability.ts';
import { type AzureAccess, openAzureSource } from './azure-source.ts';
import { type GoogleAccess, openGcsSource } from './gcs-source.ts';
import type { ObjectSource } from './port.ts';
import { openS3Source, type S3Access } from './s3-source.ts';
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

const openSources =
  ({ config: { accountId, allowLocalWebhooks, imports, region } }: Runtime): OpenObjectSource =>
  (address, organizationId) => {
    switch (address.provider) {
      case 'aws_s3':
        return openS3Source(address.place, address.access, {
          endpoint: imports.s3Endpoint,
          region,
          externalId: organizationId,
          accountId,
        });
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

export const objectSources = capability<OpenObjectSource>(['network.public', 'roles.assume'], openSources);
