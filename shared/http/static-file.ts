import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { capability } from '../kernel/capability.ts';
import { notFound } from '../kernel/errors.ts';
import { lazy, memoizePerKey } from '../kernel/memoize.ts';
import type { HttpResult } from './response.ts';
import { acceptedEncoding, compress, type Encoding } from './content-encoding.ts';

/** Directory beside the bundle of a function whose files anyone may read. */
const publicDirectory = 'public';

/** Seconds for which a browser uses a file without asking again; a deployment changes files. */
const maxAgeSeconds = 3_600;

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Name with a hash of the content, which never changes under this name. */
const hashedName = /-[\da-f]{8}\.(?!html)\w+$/;

/** File that is served unchanged. */
export class StaticFile {
  readonly contentType: string;
  readonly bytes: Buffer;
  /** Weak, because all content codings share it. */
  readonly etag: string;
  readonly compressed: (encoding: Encoding) => Buffer;
  readonly cacheControl: string;

  constructor(name: string, bytes: Buffer) {
    this.contentType = contentTypes[extname(name)] ?? 'application/octet-stream';
    this.bytes = bytes;
    this.cacheControl = hashedName.test(name)
      ? 'public, max-age=31536000, immutable'
      : `public, max-age=${maxAgeSeconds}`;
    this.etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
    this.compressed = memoizePerKey((encoding: Encoding) => compress(bytes, encoding, 'small'));
  }
}

/** Files in the public directory of a function. */
export interface PublicFiles {
  /** Throws `not_found`. */
  get(name: string): Promise<StaticFile>;
}

/** Opens a directory. Only listed names are read, which prevents path traversal. */
const openPublicFiles = (directory: string): PublicFiles => {
  const names = lazy(async () => new Set(await readdir(directory)));
  const read = memoizePerKey(async (name: string) => new StaticFile(name, await readFile(join(directory, name))));
  return {
    get: async (name) => {
      if (!(await names()).has(name)) throw notFound('File');
      return read(name);
    },
  };
};

export const publicFiles = capability<PublicFiles>([], ({ config }) =>
  openPublicFiles(join(config.assetsDirectory, publicDirectory)),
);

/** Whether `if-none-match` names the file. The comparison is weak. Source: RFC 9110, 13.1.2. */
const isKnown = (header: string | undefined, { etag }: StaticFile): boolean =>
  header
    ?.split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || tag === etag || `W/${tag}` === etag) ?? false;

/** Returns the response with a file, compressed if the client accepts it, or a 304 if `if-none-match` names the file. */
export const fileResponse = (
  file: StaticFile,
  requested: APIGatewayProxyEventV2['headers'],
  requestId: string,
): HttpResult => {
  const headers = {
    'x-request-id': requestId,
    etag: file.etag,
    'cache-control': file.cacheControl,
    vary: 'accept-encoding',
  };
  if (isKnown(requested['if-none-match'], file)) return { statusCode: 304, headers, body: '' };
  const encoding = acceptedEncoding(requested['accept-encoding']);
  return {
    statusCode: 200,
    headers: {
      ...headers,
      'content-type': file.contentType,
      ...(encoding === null ? {} : { 'content-encoding': encoding }),
    },
    body: (encoding === null ? file.bytes : file.compressed(encoding)).toString('base64'),
    isBase64Encoded: true,
  };
};
