import { Aws } from 'aws-cdk-lib';
import { bedrockEmbeddingModel } from '../shared/kernel/config.ts';
import {
  alarmName,
  bucketName,
  functionName,
  parameterName,
  queueName,
  tableName,
  transcriptionJobPrefix,
  type BucketName,
  type QueueName,
  type SecretName,
  type TableName,
} from '../shared/kernel/names.ts';

/*
 * Addresses by convention: what one stack grants on what another creates is built from names, so that no value travels
 * between stacks or regions.
 */

const arn = (service: string, region: string, resource: string): string =>
  `arn:${Aws.PARTITION}:${service}:${region}:${Aws.ACCOUNT_ID}:${resource}`;

export const tableArn = (deployment: string, region: string, table: TableName): string =>
  arn('dynamodb', region, `table/${tableName(deployment, table)}`);

export const queueArn = (deployment: string, region: string, queue: QueueName): string =>
  arn('sqs', region, queueName(deployment, queue));

export const functionArn = (deployment: string, region: string, id: string): string =>
  arn('lambda', region, `function:${functionName(deployment, id)}`);

export const bucketArn = (deployment: string, region: string, bucket: BucketName): string =>
  `arn:${Aws.PARTITION}:s3:::${bucketName(deployment, bucket, Aws.ACCOUNT_ID, region)}`;

/** A model of Bedrock belongs to no account. */
export const bedrockModelArn = (region: string): string =>
  `arn:${Aws.PARTITION}:bedrock:${region}::foundation-model/${bedrockEmbeddingModel}`;

export const parameterArn = (deployment: string, region: string, name: SecretName): string =>
  arn('ssm', region, `parameter${parameterName(deployment, name)}`);

export const transcriptionJobsArn = (deployment: string, region: string): string =>
  arn('transcribe', region, `transcription-job/${transcriptionJobPrefix(deployment)}*`);

/** `name` is that of the alarm without the deployment. */
export const alarmArn = (deployment: string, region: string, name: string): string =>
  arn('cloudwatch', region, `alarm:${alarmName(deployment, name)}`);

/** Every role of the account itself. */
export const ownRolesArn = arn('iam', '', 'role/*');

/** A bus of the user's own; it is no part of a deployment. */
export const eventBusArn = (region: string, name: string): string => arn('events', region, `event-bus/${name}`);
