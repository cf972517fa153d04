import type { Sql } from '../database.ts';
import type { StoredObject } from '../stored-object.ts';
import { prefixEnd } from '../prefix-end.ts';
import { encodeKey, readInteger, type S3Request } from '../request.ts';
import { sendXml } from '../respond.ts';
import { S3Error } from '../s3-error.ts';
import type { Store } from '../store.ts';

const maxKeysPerPage = 1000;

interface Listing {
  readonly objects: readonly StoredObject[];
  readonly commonPrefixes: readonly string[];
  /** The first key that did not fit. */
  readonly next: string | undefined;
}

/** ListObjectsV2, in the order of the keys' UTF-8 bytes. */
export const listObjects = (store: Store, { bucket, query, response }: S3Request): void => {
  const maxKeys = Math.min(readInteger(query, 'max-keys', maxKeysPerPage, 0, 2 ** 31), maxKeysPerPage);
  const [prefix, delimiter, after] = ['prefix', 'delimiter', 'start-after'].map((name) => query.get(name) ?? '');
  const token = query.get('continuation-token');
  // A zero byte makes the smallest text above a given one.
  const from = token === null ? (after ? `${after}\0` : '') : decodeToken(token);
  if (query.get('list-type') !== '2') throw new S3Error('NotImplemented');
  const { objects, commonPrefixes, next } = listKeys(store.database.sql, bucket.name, {
    prefix: prefix ?? '',
    delimiter: delimiter ?? '',
    from,
    maxKeys,
  });
  const encode = query.get('encoding-type') === 'url' ? encodeKey : (key: string) => key;
  sendXml(response, 'ListBucketResult', {
    Name: bucket.name,
    Prefix: encode(prefix ?? ''),
    Delimiter: delimiter ? encode(delimiter) : undefined,
    MaxKeys: maxKeys,
    EncodingType: query.get('encoding-type') ?? undefined,
    KeyCount: objects.length + commonPrefixes.length,
    IsTruncated: next !== undefined,
    ContinuationToken: token ?? undefined,
    NextContinuationToken: next === undefined ? undefined : encodeToken(next),
    StartAfter: after ? encode(after) : undefined,
    Contents: objects.map(({ key, modifiedMs, eTag, size }) => ({
      Key: encode(key),
      LastModified: new Date(modifiedMs).toISOString(),
      ETag: `"${eTag}"`,
      Size: size,
      StorageClass: 'STANDARD',
    })),
    CommonPrefixes: commonPrefixes.map((common) => ({ Prefix: encode(common) })),
  });
};

interface Selection {
  readonly prefix: string;
  readonly delimiter: string;
  /** The smallest key to list. */
  readonly from: string;
  readonly maxKeys: number;
}

const listKeys = (sql: Sql, bucket: string, { prefix, delimiter, from, maxKeys }: Selection): Listing => {
  const objects: StoredObject[] = [];
  const commonPrefixes: string[] = [];
  const end = prefixEnd(prefix);
  let start: string | Uint8Array | undefined = maxKeys > 0 ? from : undefined;
  while (start !== undefined) {
    const rows = sql.iterate`
      SELECT * FROM objects WHERE bucket = ${bucket} AND key >= max(${prefix}, ${start}) AND key < ${end}
      ORDER BY key` as Iterable<StoredObject>;
    start = undefined;
    for (const object of rows) {
      if (objects.length + commonPrefixes.length === maxKeys) return { objects, commonPrefixes, next: object.key };
      const cut = delimiter === '' ? -1 : object.key.indexOf(delimiter, prefix.length);
      if (cut < 0) {
        objects.push(object);
        continue;
      }
      // One row represents all keys under the common prefix; the next query starts after them.
      const common = object.key.slice(0, cut + delimiter.length);
      commonPrefixes.push(common);
      start = prefixEnd(common);
      break;
    }
  }
  return { objects, commonPrefixes, next: undefined };
};

const encodeToken = (key: string): string => Buffer.from(key).toString('base64url');

const decodeToken = (token: string): string => {
  const key = Buffer.from(token, 'base64url').toString();
  if (encodeToken(key) === token && token !== '') return key;
  throw new S3Error('InvalidArgument', { message: 'The continuation token provided is incorrect' });
};
