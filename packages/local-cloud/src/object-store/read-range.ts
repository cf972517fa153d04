import type { StoredObject } from './stored-object.ts';
import { S3Error } from './s3-error.ts';

/** The bytes to send, both ends inclusive; an empty object has `last` -1. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
  readonly partial: boolean;
}

/**
 * Reads `Range`. As in S3, what is not one well-formed byte range counts as absent, and so does a range whose
 * `If-Range` does not hold. Throws `InvalidRange`.
 */
export const readRange = (
  headers: Readonly<Record<string, string>>,
  { size, eTag, modifiedMs }: StoredObject,
): ByteRange => {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers['range'] ?? '') ?? [];
  const condition = headers['if-range'];
  const stale = condition !== undefined && ![`"${eTag}"`, new Date(modifiedMs).toUTCString()].includes(condition);
  const backwards = from !== '' && to !== '' && Number(to) < Number(from);
  if ((from === '' && to === '') || stale || backwards) return { first: 0, last: size - 1, partial: false };
  const first = from === '' ? Math.max(size - Number(to), 0) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (first <= last) return { first, last, partial: true };
  throw new S3Error('InvalidRange', {
    fields: { ActualObjectSize: size },
    headers: { 'content-range': `bytes */${size}` },
  });
};
