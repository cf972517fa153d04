import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BucketConfig } from './contracts.ts';
import { S3Error } from './s3-error.ts';

/** A request with a valid signature. */
export interface S3Request {
  readonly id: string;
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly bucket: BucketConfig;
  /** Empty for a request to the bucket itself. */
  readonly key: string;
  readonly query: URLSearchParams;
  /** By lower-case name; `x-amz-…` parameters of a presigned address count as headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Value of `x-amz-content-sha256`, or `UNSIGNED-PAYLOAD`. */
  readonly payloadHash: string;
  readonly principalId: string;
  readonly sourceIpAddress: string;
  /** Checks that the caller has an IAM permission on a bucket or an object, given by its ARN. @throws AccessDenied */
  authorize(action: string, resource: string, context?: Readonly<{ 's3:prefix'?: string }>): void;
  /** Sends `100 Continue` to a client that waits for it before it sends the body. */
  acceptBody(): void;
}

/** Bucket, key and query of a request, before any check. */
export interface RequestTarget {
  readonly bucketName: string;
  readonly key: string;
  /** The path as S3 signs it: decoded and encoded again, so that equal keys have one form. */
  readonly canonicalPath: string;
  readonly query: URLSearchParams;
}

/** The ARN of a bucket, or of one of its objects. */
export const arnOf = (bucketName: string, key = ''): string =>
  `arn:aws:s3:::${bucketName}${key === '' ? '' : `/${key}`}`;

const maxKeyBytes = 1024;
const virtualHost = /^(.+)\.localhost(?::\d+)?$/i;

/**
 * Reads bucket, key and query from the raw address. Dots and empty segments of a key have no special meaning. Throws
 * `InvalidURI`, `KeyTooLongError`.
 */
export const readTarget = (message: IncomingMessage): RequestTarget => {
  const address = message.url ?? '';
  const mark = address.indexOf('?');
  const sent = mark < 0 ? address : address.slice(0, mark);
  const path = decodePath(sent);
  const query = new URLSearchParams(mark < 0 ? '' : address.slice(mark + 1));
  const hosted = virtualHost.exec(message.headers.host ?? '')?.[1];
  // An encoded slash ends no bucket name.
  const slash = sent.indexOf('/', 1);
  const [bucketName, key] =
    hosted !== undefined
      ? [hosted, path.slice(1)]
      : slash < 0
        ? [path.slice(1), '']
        : [decodePath(sent.slice(0, slash)).slice(1), decodePath(sent.slice(slash)).slice(1)];
  if (Buffer.byteLength(key) > maxKeyBytes) throw new S3Error('KeyTooLongError');
  return { bucketName, key, canonicalPath: encodeKey(path), query };
};

const decodePath = (path: string): string => {
  if (!path.startsWith('/')) throw new S3Error('InvalidURI');
  try {
    return decodeURIComponent(path);
  } catch {
    throw new S3Error('InvalidURI');
  }
};

/** Percent-encodes all but the unreserved characters of RFC 3986 and slashes. */
export const encodeKey = (key: string): string =>
  encodeURIComponent(key)
    .replaceAll('%2F', '/')
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** Reads an integer parameter within the bounds. Throws `InvalidArgument`. */
export const readInteger = (
  query: URLSearchParams,
  name: string,
  absent: number,
  lowest: number,
  highest: number,
): number => {
  const text = query.get(name);
  if (text === null) return absent;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= lowest && value <= highest) return value;
  throw new S3Error('InvalidArgument', { fields: { ArgumentName: name, ArgumentValue: text } });
};
