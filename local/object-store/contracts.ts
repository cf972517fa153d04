import type { Clock } from '../../shared/kernel/clock.ts';

/** One rule of a bucket's cross-origin configuration; origins and headers may hold one `*` each. */
export interface CorsRule {
  readonly allowedOrigins: readonly string[];
  readonly allowedMethods: readonly string[];
  readonly allowedHeaders?: readonly string[];
  readonly exposedHeaders?: readonly string[];
  readonly maxAgeSeconds?: number;
}

/** What the store removes by age under a key prefix (default: every key). */
export interface LifecycleRule {
  readonly prefix?: string;
  /** Only objects that have all of these tags expire. */
  readonly tags?: readonly { readonly name: string; readonly value: string }[];
  readonly expirationDays?: number;
  readonly abortIncompleteUploadDays?: number;
}

/** A bucket that exists for as long as the store runs. */
export interface BucketConfig {
  readonly name: string;
  readonly region: string;
  readonly corsRules?: readonly CorsRule[];
  readonly lifecycleRules?: readonly LifecycleRule[];
}

/** A key pair that may sign; a session token is demanded when set and refused when not. */
export interface StoreCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Who may sign, and what each may do. */
export interface ObjectAccess {
  /** The key pair of this id; undefined if there is none. */
  readonly find: (accessKeyId: string) => StoreCredentials | undefined;
  /** Checks that the holder of a key may do an action of IAM on a bucket or an object. @throws AccessDenied */
  readonly authorize: (
    accessKeyId: string,
    action: string,
    resource: string,
    context: Readonly<{ 's3:prefix'?: string }>,
  ) => void;
}

export type ObjectCreatedName = 'ObjectCreated:Put' | 'ObjectCreated:Copy' | 'ObjectCreated:CompleteMultipartUpload';

/** Everything that an S3 event notification says about a new object. The key is plain, the ETag without quotes. */
export interface ObjectCreated {
  readonly eventName: ObjectCreatedName;
  /** RFC 3339 UTC. */
  readonly eventTime: string;
  readonly bucket: string;
  readonly region: string;
  readonly key: string;
  readonly size: number;
  readonly eTag: string;
  /** Sixteen hexadecimal digits; of two events of one key the later has the greater one. */
  readonly versionSequencer: string;
  readonly requestId: string;
  readonly principalId: string;
  readonly sourceIpAddress: string;
}

export interface ObjectStoreOptions {
  /** Belongs to this store alone; a second store on it is refused. */
  readonly dataDir: string;
  readonly access: ObjectAccess;
  readonly buckets: readonly BucketConfig[];
  /**
   * Called at least once for each new object, also after a crash, until it resolves. Several calls run at a time, in
   * no promised order.
   */
  readonly onObjectCreated?: (event: ObjectCreated) => Promise<void>;
  /** Told of internal failures and of rejected `onObjectCreated` calls. */
  readonly onError?: (error: unknown) => void;
  readonly clock?: Clock;
  /** Resolves when so many bytes of an object may be sent. Default: at once. */
  readonly onDownload?: ((bytes: number) => Promise<void>) | undefined;
}
