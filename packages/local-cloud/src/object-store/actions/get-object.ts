import { findObject, findSegments } from '../objects.ts';
import type { StoredObject } from '../stored-object.ts';
import { judgeRead } from '../preconditions.ts';
import { readRange } from '../read-range.ts';
import { arnOf, type S3Request } from '../request.ts';
import { sendEmpty, sendStream } from '../respond.ts';
import { S3Error } from '../s3-error.ts';
import type { Store } from '../store.ts';

/** Headers of the response that a request for an object may set, by their query parameter. */
export const responseOverrides: Readonly<Record<string, string>> = {
  'response-content-type': 'content-type',
  'response-content-disposition': 'content-disposition',
};

/** @throws InvalidArgument for a value that no header can have. */
const overridesOf = ({ query }: S3Request): Record<string, string> =>
  Object.fromEntries(
    Object.entries(responseOverrides).flatMap(([parameter, header]) => {
      const value = query.get(parameter);
      if (value === null) return [];
      if (!/^[\x20-\x7e]+$/.test(value))
        throw new S3Error('InvalidArgument', { fields: { ArgumentName: parameter, ArgumentValue: value } });
      return [[header, value]];
    }),
  );

/** GetObject and HeadObject, with conditions and one byte range. */
export const getObject = async (store: Store, request: S3Request): Promise<void> => {
  const { headers, response, message } = request;
  const { sql } = store.database;
  const object = findObject(sql, request.bucket.name, request.key);
  if (object === undefined) {
    // Only a caller that may list the bucket learns that an object does not exist.
    request.authorize('s3:ListBucket', arnOf(request.bucket.name));
    throw new S3Error('NoSuchKey', { fields: { Key: request.key } });
  }
  const verdict = judgeRead(headers, object);
  if (verdict === 'failed') throw new S3Error('PreconditionFailed');
  const about = describeObject(object);
  if (verdict === 'not-modified') {
    sendEmpty(response, 304, about);
    return;
  }
  const { first, last, partial } = readRange(headers, object);
  const status = partial ? 206 : 200;
  const all = {
    ...(partial ? {} : describeChecksum(object, headers)),
    ...about,
    ...overridesOf(request),
    'content-length': last - first + 1,
    ...(partial && { 'content-range': `bytes ${first}-${last}/${object.size}` }),
  };
  if (message.method === 'HEAD') {
    sendEmpty(response, status, all);
    return;
  }
  const segments = findSegments(sql, object.id);
  // The object may be replaced while it is being read; its files have to stay until then.
  const release = store.blobs.hold(segments.map(({ blob }) => blob));
  try {
    await store.onDownload?.(request.principalId, last - first + 1);
    await sendStream(response, status, all, store.blobs.read(segments, first, last));
  } finally {
    release();
  }
};

const describeObject = (object: StoredObject): Record<string, string> => ({
  // Written by `storedHeaders`.
  ...(JSON.parse(object.headers) as Record<string, string>),
  etag: `"${object.eTag}"`,
  'last-modified': new Date(object.modifiedMs).toUTCString(),
  'accept-ranges': 'bytes',
});

const describeChecksum = (
  { checksumHeader, checksum }: StoredObject,
  headers: S3Request['headers'],
): Record<string, string> =>
  headers['x-amz-checksum-mode']?.toUpperCase() === 'ENABLED' && checksumHeader !== null && checksum !== null
    ? { [checksumHeader]: checksum, 'x-amz-checksum-type': 'FULL_OBJECT' }
    : {};
