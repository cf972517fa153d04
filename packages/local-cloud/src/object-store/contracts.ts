import type { Clock } from '../../../../shared/kernel/clock.ts';

/** One rule of a bucket's cross-origin configuration; origins and headers may hold one `*` each. */
export interface CorsRule {
  readonly allowedOrigins: readonly string[];
  readonly allowedMethods: readonly string[];
  readonly allowedHeaders?: readonly string[];
  readonly exposedHeaders?: readonly string[];
  readonly maxAgeSeconds?: number;
}

/** Rule that removes objects by age under a key prefix (default: every key). */
export interface LifecycleRule {
  readonly prefix?: string;
  /** Only objects that have all of these tags expire. */
  readonly tags?: readonly { readonly name: string; readonly value: string }[];
  readonly expirationDays?: number;
  readonly abortIncompleteUploadDays?: number;
}

/** Configuration of a bucket, fixed while the store runs. */
export interface BucketConfig {
  readonly name: string;
  readonly region: string;
  readonly corsRules?: readonly CorsRule[];
  readonly lifecycleRules?: readonly LifecycleRule[];
}

/** A key pair that may sign. A session token is required if set, and refused otherwise. */
export interface StoreCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Key pairs and their permissions. */
export interface ObjectAccess {
  /** Returns the key pair of this id; undefined if there is none. */
  readonly find: (accessKeyId: string) => StoreCredentials | undefined;
  /** Checks that the holder of a key has an IAM permission on a bucket or an object. @throws AccessDenied */
  readonly authorize: (
    accessKeyId: string,
    action: string,
    resource: string,
    context: Readonly<{ 's3:prefix'?: string }>,
  ) => void;
}

export type ObjectCreatedName = 'ObjectCreated:Put' | 'ObjectCreated:Copy' | 'ObjectCreated:CompleteMultipartUpload';

/** Content of an S3 event notification about a new object. The key is not encoded, the ETag has no quotes. */
export interface ObjectCreated {
  readonly eventName: ObjectCreatedName;
  /** RFC 3339 UTC. */
  readonly eventTime: string;
  readonly bucket: string;
  readonly region: string;
  readonly key: string;
  readonly size: number;
  readonly eTag: string;
  /** Sixteen hexadecimal digits, which increase with each event of a key. */
  readonly versionSequencer: string;
  readonly requestId: string;
  readonly principalId: string;
  readonly sourceIpAddress: string;
}

export interface ObjectStoreOptions {
  /** Directory of this store alone; a second store on it is refused. */
  readonly dataDir: string;
  readonly access: ObjectAccess;
  readonly buckets: readonly BucketConfig[];
  /**
   * Called at least once for each new object, also after a crash, until it resolves. Calls run concurrently, in no
   * defined order.
   */
  readonly onObjectCreated?: (event: ObjectCreated) => Promise<void>;
  /** Gets internal failures and rejections of `onObjectCreated`. */
  readonly onError?: (error: unknown) => void;
  readonly clock?: Clock;
  /** Throttles downloads: resolves when the holder of a key may have this number of bytes. Default: no limit. */
  readonly onDownload?: ((accessKeyId: string, bytes: number) => Promise<void>) | undefined;
}
