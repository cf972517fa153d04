import { HeadBucketCommand } from '@aws-sdk/client-s3';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { Runtime } from '../../kernel/capability.ts';
import {
  type BucketName,
  bucketName,
  healthKey,
  type QueueName,
  tableName,
  type TableName,
} from '../../kernel/names.ts';
import { dynamoClient } from './dynamo-client.ts';
import { queueUrl } from './queue.ts';
import { s3Client } from './s3-client.ts';
import { sqsClient } from './sqs-client.ts';

/** Reads an item that does not exist. Rejects if the table does not respond. */
export const probeTable = async ({ config }: Runtime, table: TableName): Promise<void> => {
  const Key = { pk: { S: healthKey }, sk: { S: healthKey } };
  await dynamoClient(config.homeRegion).call('GetItem', { TableName: tableName(config.deployment, table), Key });
};

/** Sends a HEAD request. Rejects if the bucket does not respond. */
export const probeBucket = async (
  { config: { deployment, accountId } }: Runtime,
  region: string,
  bucket: BucketName,
  abortSignal: AbortSignal,
): Promise<void> => {
  const Bucket = bucketName(deployment, bucket, accountId, region);
  await s3Client(region).send(new HeadBucketCommand({ Bucket }), { abortSignal });
};

/** Reads an attribute. Rejects if the queue does not respond. */
export const probeQueue = async (
  runtime: Runtime,
  region: string,
  queue: QueueName,
  abortSignal: AbortSignal,
): Promise<void> => {
  const QueueUrl = queueUrl(runtime, queue, region);
  await sqsClient(region).send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }), {
    abortSignal,
  });
};
