import type { ObjectNotification } from '../events/announce-object.ts';
import type { BucketConfig } from '../object-store/contracts.ts';
import type { QueueDefinition } from '../queues/queue-types.ts';
import type { VectorBucketDefinition } from '../s3-vectors/vector-store.ts';
import type { TableDefinition } from '../tables/table-definition.ts';
import { arnOf, physicalName, pickResources, type Picked } from './pick-resources.ts';
import type { Resource } from './resolve-assembly.ts';

/** Tables of all regions. */
export const planTables = (resources: readonly Resource[]): readonly TableDefinition[] =>
  pickResources(resources, 'AWS::DynamoDB::Table').map((resource) => {
    const { TimeToLiveSpecification: expiry, ...table } = resource.parsed;
    return {
      name: physicalName(resource, 'TableName'),
      region: resource.region,
      attributes: table.AttributeDefinitions,
      key: table.KeySchema,
      indexes: table.GlobalSecondaryIndexes,
      expiryAttribute: expiry?.Enabled === true ? expiry.AttributeName : null,
    };
  });

/** Queues of all regions. */
export const planQueues = (resources: readonly Resource[]): readonly QueueDefinition[] =>
  pickResources(resources, 'AWS::SQS::Queue').map((resource) => {
    const queue = resource.parsed;
    return {
      arn: arnOf(resource),
      name: physicalName(resource, 'QueueName'),
      region: resource.region,
      fifo: queue.FifoQueue,
      contentBasedDeduplication: queue.ContentBasedDeduplication,
      deduplicationScope: queue.DeduplicationScope,
      delaySeconds: queue.DelaySeconds,
      visibilityTimeoutSeconds: queue.VisibilityTimeout,
      maximumMessageBytes: queue.MaximumMessageSize,
      retentionSeconds: queue.MessageRetentionPeriod,
      receiveWaitSeconds: queue.ReceiveMessageWaitTimeSeconds,
      redrive:
        queue.RedrivePolicy === undefined
          ? null
          : {
              deadLetterArn: queue.RedrivePolicy.deadLetterTargetArn,
              maxReceiveCount: queue.RedrivePolicy.maxReceiveCount,
            },
    };
  });

const withoutUndefined = <Value extends object>(value: Value) =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as {
    readonly [Key in keyof Value]: Exclude<Value[Key], undefined>;
  };

const bucketOf = (resource: Picked<'AWS::S3::Bucket'>): BucketConfig => ({
  name: physicalName(resource, 'BucketName'),
  region: resource.region,
  corsRules: resource.parsed.CorsConfiguration.CorsRules.map((rule) => ({
    allowedOrigins: rule.AllowedOrigins,
    allowedMethods: rule.AllowedMethods,
    allowedHeaders: rule.AllowedHeaders,
    exposedHeaders: rule.ExposedHeaders,
    ...(rule.MaxAge === undefined ? {} : { maxAgeSeconds: rule.MaxAge }),
  })),
  lifecycleRules: resource.parsed.LifecycleConfiguration.Rules.filter(({ Status }) => Status === 'Enabled').map(
    (rule) =>
      withoutUndefined({
        prefix: rule.Prefix,
        tags: rule.TagFilters?.map(({ Key, Value }) => ({ name: Key, value: Value })),
        expirationDays: rule.ExpirationInDays,
        abortIncompleteUploadDays: rule.AbortIncompleteMultipartUpload?.DaysAfterInitiation,
      }),
  ),
});

const notificationsOf = (resource: Picked<'AWS::S3::Bucket'>): readonly ObjectNotification[] =>
  resource.parsed.NotificationConfiguration.QueueConfigurations.map(({ Event, Queue, Filter }) => {
    const rules = Filter?.S3Key.Rules ?? [];
    const rule = (name: string): string => rules.find(({ Name }) => Name.toLowerCase() === name)?.Value ?? '';
    return {
      bucket: physicalName(resource, 'BucketName'),
      queueArn: Queue,
      event: Event,
      prefix: rule('prefix'),
      suffix: rule('suffix'),
    };
  });

/** Buckets of all regions, with their notifications about new objects. */
export const planBuckets = (
  resources: readonly Resource[],
): { readonly buckets: readonly BucketConfig[]; readonly notifications: readonly ObjectNotification[] } => {
  const picked = pickResources(resources, 'AWS::S3::Bucket');
  return { buckets: picked.map(bucketOf), notifications: picked.flatMap(notificationsOf) };
};

/** Vector buckets of all regions. */
export const planVectorBuckets = (resources: readonly Resource[]): readonly VectorBucketDefinition[] =>
  pickResources(resources, 'AWS::S3Vectors::VectorBucket').map(({ region, parsed }) => ({
    region,
    name: parsed.VectorBucketName,
  }));
