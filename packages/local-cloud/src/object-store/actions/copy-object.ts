import { randomUUID } from 'node:crypto';
import { storedHeaders } from '../stored-headers.ts';
import { commitObject, findObject, findSegments } from '../objects.ts';
import type { StoredObject } from '../stored-object.ts';
import { judgeRead } from '../preconditions.ts';
import { arnOf, type S3Request } from '../request.ts';
import { sendXml } from '../respond.ts';
import { S3Error } from '../s3-error.ts';
import type { Store } from '../store.ts';
import { findTags, readTags } from '../tags.ts';

/** CopyObject. The copy refers to the same immutable files as its source, so no byte is copied. */
export const copyObject = (store: Store, request: S3Request): void => {
  const { 'x-amz-tagging': tagging, 'x-amz-tagging-directive': tagDirective, ...headers } = request.headers;
  const { sql } = store.database;
  const given = storedHeaders({ headers });
  const newTags = tagDirective === 'REPLACE' ? readTags(tagging) : null;
  if (newTags !== null) request.authorize('s3:PutObjectTagging', arnOf(request.bucket.name, request.key));
  const source = findSource(store, request, headers['x-amz-copy-source'] ?? '');
  if (judgeRead(headers, source, 'x-amz-copy-source-') !== 'ok') throw new S3Error('PreconditionFailed');
  const replaces = headers['x-amz-metadata-directive'] === 'REPLACE';
  if (!replaces && source.bucket === request.bucket.name && source.key === request.key) {
    throw new S3Error('InvalidRequest', { message: 'This copy request would change nothing.' });
  }
  const segments = findSegments(sql, source.id);
  const { eTag, checksumHeader, checksum } = source;
  const draft = {
    id: randomUUID(),
    eTag,
    checksumHeader,
    checksum,
    segments,
    tags: newTags ?? findTags(sql, source.id),
    headers: replaces ? given : source.headers,
  };
  const copy = commitObject(store, request, draft, 'ObjectCreated:Copy');
  sendXml(request.response, 'CopyObjectResult', {
    LastModified: new Date(copy.modifiedMs).toISOString(),
    ETag: `"${eTag}"`,
  });
};

const findSource = (store: Store, request: S3Request, address: string): StoredObject => {
  const [, bucketName, encodedKey] = /^\/?([^/]+)\/([^?]+)$/.exec(address) ?? [];
  if (bucketName === undefined || encodedKey === undefined) {
    throw new S3Error('InvalidArgument', { fields: { ArgumentName: 'x-amz-copy-source', ArgumentValue: address } });
  }
  if (!store.buckets.has(bucketName)) throw new S3Error('NoSuchBucket', { fields: { BucketName: bucketName } });
  const key = decodeKey(encodedKey);
  request.authorize('s3:GetObject', arnOf(bucketName, key));
  const source = findObject(store.database.sql, bucketName, key);
  if (source === undefined) throw new S3Error('NoSuchKey');
  return source;
};

const decodeKey = (key: string): string => {
  try {
    return decodeURIComponent(key);
  } catch {
    throw new S3Error('InvalidURI');
  }
};
