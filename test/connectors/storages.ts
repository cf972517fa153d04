import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { type Azurite, startAzurite } from '../imports/support/azurite.ts';
import { GcsServer } from '../imports/support/gcs-server.ts';
import { startObjectStore } from '../support/object-store.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** Access keys that the object storage takes. */
export const accessKeys = {
  access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  secret_access_key: 'wJalrXUtnFEMIK7MDENGbPxRfiCY',
};

/** The bucket `acme` of a storage. */
export interface Bucket {
  readonly base: string;
  /** Fields of a connector beside its credentials. */
  readonly connection: object;
  readonly credentials: object;
  readonly put: (key: string, bytes: Buffer, encoding?: string) => Promise<void>;
  readonly remove: (key: string) => Promise<void>;
}

export const bucketProviders = ['aws_s3', 'gcs', 'azure_blob'] as const;
export type BucketProvider = (typeof bucketProviders)[number];

/** Running storages of the three providers. */
export interface Storages {
  readonly s3Endpoint: string;
  readonly gcs: GcsServer;
  readonly azurite: Azurite;
  readonly buckets: Readonly<Record<BucketProvider, Bucket>>;
  readonly close: () => Promise<void>;
}

/** Starts an object storage with the bucket `acme`. */
export const openObjectStorage = async (): Promise<{
  readonly endpoint: string;
  readonly bucket: Bucket;
  readonly close: () => Promise<void>;
}> => {
  const credentials = { accessKeyId: accessKeys.access_key_id, secretAccessKey: accessKeys.secret_access_key };
  const store = await startObjectStore({
    dataDir: temporaryDirectory(),
    credentials,
    buckets: [{ name: 'acme', region: 'us-east-1' }],
  });
  const client = new S3Client({ region: 'us-east-1', endpoint: store.url, forcePathStyle: true, credentials });
  return {
    endpoint: store.url,
    bucket: {
      base: 's3://acme/',
      connection: { endpoint: store.url, region: 'us-east-1' },
      credentials: accessKeys,
      put: async (Key, Body, ContentEncoding) => {
        await client.send(new PutObjectCommand({ Bucket: 'acme', Key, Body, ContentEncoding }));
      },
      remove: async (Key) => {
        await client.send(new DeleteObjectCommand({ Bucket: 'acme', Key }));
      },
    },
    close: async () => {
      client.destroy();
      await store.close();
    },
  };
};

/** Starts the storages of the three providers. */
export const openStorages = async (): Promise<Storages> => {
  const gcs = new GcsServer();
  const [store, azurite] = await Promise.all([openObjectStorage(), startAzurite(), gcs.start()]);
  return {
    s3Endpoint: store.endpoint,
    gcs,
    azurite,
    buckets: {
      aws_s3: store.bucket,
      gcs: {
        base: 'gs://acme/',
        connection: {},
        credentials: gcs.account,
        put: (key, bytes, encoding) => Promise.resolve(gcs.put('acme', key, bytes, undefined, encoding)),
        remove: (key) => Promise.resolve(gcs.remove('acme', key)),
      },
      azure_blob: {
        base: `https://${azurite.account}.blob.core.windows.net/acme/`,
        connection: {},
        credentials: { sas_token: azurite.containerSas('acme') },
        put: (key, bytes, encoding) => azurite.put('acme', key, bytes, encoding),
        remove: (key) => azurite.remove('acme', key),
      },
    },
    close: async () => {
      await store.close();
      azurite.stop();
      gcs.stop();
    },
  };
};
