import type { StoredObject } from './stored-object.ts';
import { S3Error } from './s3-error.ts';

type Headers = Readonly<Record<string, string>>;

const names = (list: string, eTag: string): boolean =>
  list.split(',').some((item) => ['*', eTag, `"${eTag}"`, `W/"${eTag}"`].includes(item.trim()));

/** Refuses a write or delete whose `If-Match` or `If-None-Match` does not hold for the present object. */
export const assertWritable = (headers: Headers, current: StoredObject | undefined): void => {
  const ifMatch = headers['if-match'];
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined) {
    if (ifNoneMatch !== '*') throw new S3Error('NotImplemented', { fields: { Header: 'If-None-Match' } });
    if (current !== undefined) throw new S3Error('PreconditionFailed', { fields: { Condition: 'If-None-Match' } });
  }
  if (ifMatch !== undefined) {
    if (current === undefined) throw new S3Error('NoSuchKey');
    if (!names(ifMatch, current.eTag)) throw new S3Error('PreconditionFailed', { fields: { Condition: 'If-Match' } });
  }
};

/**
 * Evaluates the preconditions of a read by RFC 9110, section 13.2.2. `prefix` precedes the header names, as for the source
 * of a copy.
 */
export const judgeRead = (headers: Headers, object: StoredObject, prefix = ''): 'ok' | 'not-modified' | 'failed' => {
  const ifMatch = headers[`${prefix}if-match`];
  const ifNoneMatch = headers[`${prefix}if-none-match`];
  // HTTP dates hold whole seconds; an unreadable date compares false and so counts as absent.
  const modifiedMs = Math.floor(object.modifiedMs / 1000) * 1000;
  const sinceMs = Date.parse(headers[`${prefix}if-modified-since`] ?? '');
  const unmodifiedSinceMs = Date.parse(headers[`${prefix}if-unmodified-since`] ?? '');
  if (ifMatch === undefined ? modifiedMs > unmodifiedSinceMs : !names(ifMatch, object.eTag)) return 'failed';
  if (ifNoneMatch === undefined ? modifiedMs <= sinceMs : names(ifNoneMatch, object.eTag)) return 'not-modified';
  return 'ok';
};
