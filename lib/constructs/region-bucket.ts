import { Aws, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import * as s3 from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { type ContentPrefix, contentPrefixes, pendingUpload } from '../../shared/kernel/content-keys.ts';
import { bucketName, type BucketName } from '../../shared/kernel/names.ts';

const requests = {
  // Browsers and scripts upload to a presigned address, whose signature authorizes the request.
  content: [
    {
      allowedMethods: [s3.HttpMethods.PUT],
      allowedOrigins: ['*'],
      allowedHeaders: ['*'],
      exposedHeaders: ['etag'],
      maxAge: Duration.hours(1).toSeconds(),
    },
  ],
  vectors: [],
} as const satisfies Record<BucketName, readonly s3.CorsRule[]>;

const lifecycles = {
  content: [
    { id: 'batches-in-transit', prefix: contentPrefixes.batches, expiration: Duration.days(7) },
    {
      id: 'uploads-of-no-job',
      prefix: contentPrefixes.uploads,
      tagFilters: { [pendingUpload.name]: pendingUpload.value },
      expiration: Duration.days(7),
    },
    { id: 'known-embeddings', prefix: contentPrefixes.embeddings, expiration: Duration.days(30) },
    { id: 'exported-rows', prefix: contentPrefixes.exported, expiration: Duration.days(8) },
    { id: 'evaluated-questions', prefix: contentPrefixes.evaluated, expiration: Duration.days(31) },
  ],
  vectors: [],
} as const satisfies Record<BucketName, readonly s3.LifecycleRule[]>;

/** One of the buckets of a region: private, encrypted, TLS only, retained when the stack is deleted. */
export class RegionBucket extends s3.Bucket {
  constructor(
    scope: Construct,
    id: string,
    props: { readonly deployment: string; readonly region: string; readonly bucket: BucketName },
  ) {
    super(scope, id, {
      bucketName: bucketName(props.deployment, props.bucket, Aws.ACCOUNT_ID, props.region),
      encryption: s3.BucketEncryption.S3_MANAGED,
      blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
      objectOwnership: s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      // A failed first deployment leaves no bucket that would block the next one.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      cors: requests[props.bucket].map((rule) => ({ ...rule })),
      lifecycleRules: [
        { id: 'unfinished-uploads', abortIncompleteMultipartUploadAfter: Duration.days(1) },
        ...lifecycles[props.bucket],
      ],
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Only roles of this deployment and presigned addresses reach the bucket; a log object per request would cost more than the data',
    });
  }

  /**
   * Sends `s3:ObjectCreated:*` of objects with a prefix and a suffix to a queue whose policy `allowedBy` lets the bucket send.
   */
  notify(
    { prefix, suffix }: { readonly prefix: ContentPrefix; readonly suffix: string },
    queueArn: string,
    allowedBy: Construct,
  ): void {
    // The L2 notification adds a function to the stack; the bucket's property needs none.
    const resource = this.node.defaultChild as s3.CfnBucket;
    resource.notificationConfiguration = {
      queueConfigurations: [
        {
          event: 's3:ObjectCreated:*',
          queue: queueArn,
          filter: {
            s3Key: {
              rules: [
                { name: 'prefix', value: prefix },
                { name: 'suffix', value: suffix },
              ],
            },
          },
        },
      ],
    };
    // S3 sends a test message to the queue when the notification is created.
    resource.node.addDependency(allowedBy);
  }
}
