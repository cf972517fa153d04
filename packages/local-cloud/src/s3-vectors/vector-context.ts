import { hash } from 'node:crypto';
import type { JsonObject } from '../../../../shared/kernel/json.ts';
import type { Authorize } from '../endpoint/aws-request.ts';
import { invalid, VectorError } from './vector-error.ts';
import type { BucketRow, IndexRow, VectorStore } from './vector-store.ts';

/** Store, place and caller of one request. */
export interface VectorContext {
  readonly store: VectorStore;
  readonly region: string;
  readonly accountId: string;
  /** Name of the operation. */
  readonly operation: string;
  readonly authorize: Authorize;
}

/** Names of a bucket or an index in an input. */
export interface ResourceInput {
  readonly vectorBucketName?: string;
  readonly vectorBucketArn?: string;
  readonly indexName?: string;
  readonly indexArn?: string;
}

type Place = Pick<VectorContext, 'region' | 'accountId'>;

/** Returns the ARN of a vector bucket. */
export const bucketArn = ({ region, accountId }: Place, bucket: string): string =>
  `arn:aws:s3vectors:${region}:${accountId}:bucket/${bucket}`;

/** Returns the ARN of a vector index. */
export const indexArn = (place: Place, bucket: string, index: string): string =>
  `${bucketArn(place, bucket)}/index/${index}`;

/** Authorizes an operation, and further actions that its input needs. @throws AccessDenied */
export const authorizeOn = (context: VectorContext, resource: string, also: readonly string[] = []): void => {
  for (const action of [context.operation, ...also]) context.authorize(`s3vectors:${action}`, resource);
};

/** Returns the name of the bucket that an input names once. @throws VectorError */
export const bucketNameOf = ({ vectorBucketName, vectorBucketArn }: ResourceInput): string => {
  if ((vectorBucketName === undefined) === (vectorBucketArn === undefined))
    throw invalid('vectorBucketName', 'Must specify exactly one of vectorBucketName and vectorBucketArn');
  return vectorBucketName ?? vectorBucketArn?.split('/').at(-1) ?? '';
};

const indexNamesOf = (input: ResourceInput): readonly [bucket: string, index: string] => {
  const { vectorBucketName, indexName, indexArn: arn } = input;
  if ((arn === undefined) === (vectorBucketName === undefined || indexName === undefined))
    throw invalid('indexArn', 'Must specify either indexArn, or vectorBucketName and indexName');
  const [, bucket = vectorBucketName ?? '', , index = indexName ?? ''] = arn?.split('/') ?? [];
  return [bucket, index];
};

/** Returns the bucket of an authorized request. @throws VectorError */
export const requireBucket = (context: VectorContext, input: ResourceInput, also?: readonly string[]): BucketRow => {
  const name = bucketNameOf(input);
  authorizeOn(context, bucketArn(context, name), also);
  const { sql } = context.store.database;
  const row = sql.get`SELECT * FROM buckets WHERE region = ${context.region} AND name = ${name}`;
  if (row === undefined) throw new VectorError('NotFoundException', 'The specified vector bucket could not be found');
  return row as BucketRow;
};

/** Returns the row of an index; undefined if there is none. */
export const findIndex = ({ store, region }: VectorContext, bucket: string, name: string): IndexRow | undefined =>
  store.database.sql.get`
    SELECT * FROM indexes WHERE region = ${region} AND bucket = ${bucket} AND name = ${name}` as IndexRow | undefined;

/** Returns the index of an authorized request. @throws VectorError */
export const requireIndex = (context: VectorContext, input: ResourceInput, also?: readonly string[]): IndexRow => {
  const [bucket, name] = indexNamesOf(input);
  authorizeOn(context, indexArn(context, bucket, name), also);
  const row = findIndex(context, bucket, name);
  if (row === undefined) throw new VectorError('NotFoundException', 'The specified index could not be found');
  return row;
};

/** Digest of the parameters that each page of a list has to repeat. */
const digestOf = (input: JsonObject): string =>
  hash('sha256', JSON.stringify(Object.entries(input).filter(([name]) => name !== 'nextToken'))).slice(0, 16);

/** Returns the token of the page after `position`. */
export const writeToken = (input: JsonObject, position: string): string =>
  Buffer.from(JSON.stringify([digestOf(input), position])).toString('base64url');

/** Returns the position of a token, empty for the first page. @throws VectorError if it is not of this request. */
export const readToken = (input: JsonObject): string => {
  if (typeof input['nextToken'] !== 'string') return '';
  try {
    const [digest, position] = JSON.parse(Buffer.from(input['nextToken'], 'base64url').toString()) as unknown[];
    if (digest === digestOf(input) && typeof position === 'string') return position;
  } catch {
    // Refused below, as a token of another request.
  }
  throw invalid('nextToken', 'The specified nextToken is not valid for this request');
};
