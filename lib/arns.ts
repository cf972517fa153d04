import { Aws } from 'aws-cdk-lib';
import {
  alarmName,
  bucketName,
  deadLetterQueueName,
  functionName,
  parameterName,
  queueName,
  tableName,
  transcriptionJobPrefix,
  vectorBucketName,
  type BucketName,
  type QueueName,
  type SecretName,
  type TableName,
} from '../shared/kernel/names.ts';

/*
 * ARNs by convention: grants of one stack on resources of another are built from names, so that no value is passed between
 * stacks or regions.
 */

const arn = (service: string, region: string, resource: string): string =>
  `arn:${Aws.PARTITION}:${service}:${region}:${Aws.ACCOUNT_ID}:${resource}`;

export const tableArn = (deployment: string, region: string, table: TableName): string =>
  arn('dynamodb', region, `table/${tableName(deployment, table)}`);

export const queueArn = (deployment: string, region: string, queue: QueueName): string =>
  arn('sqs', region, queueName(deployment, queue));

export const deadLetterArn = (deployment: string, region: string, queue: QueueName): string =>
  arn('sqs', region, deadLetterQueueName(deployment, queue));

export const functionArn = (deployment: string, region: string, id: string): string =>
  arn('lambda', region, `function:${functionName(deployment, id)}`);

export const bucketArn = (deployment: string, region: string, bucket: BucketName): string =>
  `arn:${Aws.PARTITION}:s3:::${bucketName(deployment, bucket, Aws.ACCOUNT_ID, region)}`;

/** All vector indexes of the vector bucket of a region. */
export const vectorIndexesArn = (deployment: string, region: string): string =>
  arn('s3vectors', region, `bucket/${vectorBucketName(deployment, Aws.ACCOUNT_ID, region)}/index/*`);

/** ARN of a Bedrock model, which belongs to no account. */
export const bedrockModelArn = (region: string, model: string): string =>
  `arn:${Aws.PARTITION}:bedrock:${region}::foundation-model/${model}`;

export const parameterArn = (deployment: string, region: string, name: SecretName): string =>
  arn('ssm', region, `parameter${parameterName(deployment, name)}`);

export const transcriptionJobsArn = (deployment: string, region: string): string =>
  arn('transcribe', region, `transcription-job/${transcriptionJobPrefix(deployment)}*`);

/** `name` is that of the alarm without the deployment. */
export const alarmArn = (deployment: string, region: string, name: string): string =>
  arn('cloudwatch', region, `alarm:${alarmName(deployment, name)}`);

/** All roles of the account itself. */
export const ownRolesArn = arn('iam', '', 'role/*');

/** ARN of an event bus of the user, which is not part of the deployment. */
export const eventBusArn = (region: string, name: string): string => arn('events', region, `event-bus/${name}`);

/** The streams of a log group. */
export const logStreamsArn = (region: string, group: string): string => arn('logs', region, `log-group:${group}:*`);
