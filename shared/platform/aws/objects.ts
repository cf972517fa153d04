import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  DeleteObjectTaggingCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Runtime } from '../../kernel/capability.ts';
import { pendingUpload } from '../../kernel/content-keys.ts';
import { bucketName } from '../../kernel/names.ts';
import { s3Client } from './s3-client.ts';

/** Size in bytes and declared type of a stored object. */
export interface ObjectHead {
  readonly sizeBytes: number;
  readonly contentType: string;
  /** ETag; it changes with the content. */
  readonly etag: string;
}

/** Part and version of an object. */
export interface ObjectRange {
  /** Bytes `[from, to)`; default: all. */
  readonly from?: number;
  readonly to?: number;
  /** Expected ETag. The read throws `ObjectChanged` if the object has another one. */
  readonly etag?: string | undefined;
}

/** The object was overwritten since its ETag was read. */
export class ObjectChanged extends Error {
  override readonly name = 'ObjectChanged';
}

/** Reads the content bucket of any region. Absent objects are null. */
export interface ContentReader {
  head(region: string, key: string): Promise<ObjectHead | null>;
  /** Throws `ObjectChanged`. */
  get(region: string, key: string, range?: ObjectRange): Promise<Uint8Array | null>;
}

/** Objects under a prefix that are deleted. Default: all. */
export interface DeletedObjects {
  /** Only those that were written before. */
  readonly before?: Date;
  /** Only those without a further `/` in their names. */
  readonly isFlat?: boolean;
}

export interface ContentWriter {
  put(region: string, key: string, body: Uint8Array, contentType: string): Promise<void>;
  /** Deletes objects under a prefix. Returns their number. Throws if one could not be deleted. */
  deleteAll(region: string, prefix: string, which?: DeletedObjects): Promise<number>;
}

/** Presigned URL for one PUT of one object, with exactly these headers. */
export interface PresignedUpload {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface UploadAcceptance {
  /** Removes the tag that makes an upload expire. A missing object is ignored. */
  accept(region: string, key: string): Promise<void>;
}

export interface ContentPresigner {
  presignPut(
    region: string,
    upload: {
      readonly key: string;
      readonly contentType: string;
      readonly sha256: string | null;
      /** The only length that the URL accepts; null for any. */
      readonly sizeBytes: number | null;
      readonly expiresInSeconds: number;
    },
  ): Promise<PresignedUpload>;
}

export interface DownloadPresigner {
  /** Returns a URL for a GET of an object, which browsers save under `filename`. */
  presignGet(
    region: string,
    object: { readonly key: string; readonly filename: string; readonly expiresInSeconds: number },
  ): Promise<string>;
}

export interface UploadCopier {
  /**
   * Copies an object to an upload of a region, by default from the same region. The copy is tagged as pending.
   * @returns False: the source does not exist.
   */
  copy(
    region: string,
    keys: { readonly from: string; readonly to: string; readonly fromRegion?: string },
  ): Promise<boolean>;
}

const orNull = async <Result>(request: Promise<Result>): Promise<Result | null> => {
  try {
    return await request;
  } catch (error) {
    if (error instanceof NoSuchKey || error instanceof NotFound) return null;
    if (error instanceof S3ServiceException && error.name === 'PreconditionFailed')
      throw new ObjectChanged('the object was overwritten', { cause: error });
    throw error;
  }
};

/** Returns the name of a region's content bucket. */
export const contentBucket = (runtime: Runtime, region: string): string =>
  bucketName(runtime.config.deployment, 'content', runtime.config.accountId, region);

/** Returns the origin of presigned addresses of a region's content bucket. */
export const contentOrigin = async (runtime: Runtime, region: string): Promise<string> => {
  const command = new GetObjectCommand({ Bucket: contentBucket(runtime, region), Key: 'origin' });
  return new URL(await getSignedUrl(s3Client(region), command)).origin;
};

export const openContentReader = (runtime: Runtime): ContentReader => ({
  head: async (region, key) => {
    const head = await orNull(
      s3Client(region).send(new HeadObjectCommand({ Bucket: contentBucket(runtime, region), Key: key })),
    );
    if (head === null) return null;
    return { sizeBytes: head.ContentLength ?? 0, contentType: head.ContentType ?? '', etag: head.ETag ?? '' };
  },
  get: async (region, key, { from, to, etag } = {}) => {
    const request = {
      Bucket: contentBucket(runtime, region),
      Key: key,
      ...(from === undefined || to === undefined ? {} : { Range: `bytes=${from}-${to - 1}` }),
      ...(etag === undefined ? {} : { IfMatch: etag }),
    };
    const object = await orNull(s3Client(region).send(new GetObjectCommand(request)));
    return object?.Body === undefined ? null : object.Body.transformToByteArray();
  },
});

export const openContentWriter = (runtime: Runtime): ContentWriter => ({
  put: async (region, key, body, contentType) => {
    const object = { Bucket: contentBucket(runtime, region), Key: key, Body: body, ContentType: contentType };
    await s3Client(region).send(new PutObjectCommand(object));
  },
  deleteAll: async (region, prefix, { before, isFlat = false } = {}) => {
    const Bucket = contentBucket(runtime, region);
    let deleted = 0;
    let ContinuationToken: string | undefined;
    do {
      const listing = { Bucket, Prefix: prefix, ContinuationToken, ...(isFlat ? { Delimiter: '/' } : {}) };
      const { Contents, NextContinuationToken } = await s3Client(region).send(new ListObjectsV2Command(listing));
      const Objects = (Contents ?? []).flatMap(({ Key, LastModified }) =>
        Key === undefined || (before !== undefined && (LastModified ?? before) >= before) ? [] : [{ Key }],
      );
      if (Objects.length > 0) {
        const { Errors } = await s3Client(region).send(
          new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
        );
        // The request succeeds even if single deletions fail.
        if (Errors !== undefined && Errors.length > 0)
          throw new Error(`${Errors.length} objects under ${prefix} could not be deleted: ${Errors[0]?.Code}`);
      }
      deleted += Objects.length;
      ContinuationToken = NextContinuationToken;
    } while (ContinuationToken !== undefined);
    return deleted;
  },
});

export const openUploadAcceptance = (runtime: Runtime): UploadAcceptance => ({
  accept: async (region, key) => {
    const object = { Bucket: contentBucket(runtime, region), Key: key };
    await orNull(s3Client(region).send(new DeleteObjectTaggingCommand(object)));
  },
});

const pendingTag = new URLSearchParams([[pendingUpload.name, pendingUpload.value]]).toString();

/** Encodes a file name for a header. Source: RFC 5987, section 3.2.1. */
const headerText = (filename: string): string =>
  encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

export const openDownloadPresigner = (runtime: Runtime): DownloadPresigner => ({
  presignGet: (region, { key, filename, expiresInSeconds }) => {
    const command = new GetObjectCommand({
      Bucket: contentBucket(runtime, region),
      Key: key,
      ResponseContentType: 'application/octet-stream',
      ResponseContentDisposition: `attachment; filename*=UTF-8''${headerText(filename)}`,
    });
    return getSignedUrl(s3Client(region), command, { expiresIn: expiresInSeconds });
  },
});

export const openUploadCopier = (runtime: Runtime): UploadCopier => ({
  copy: async (region, { from, to, fromRegion = region }) => {
    const command = new CopyObjectCommand({
      Bucket: contentBucket(runtime, region),
      Key: to,
      CopySource: `${contentBucket(runtime, fromRegion)}/${from}`,
      TaggingDirective: 'REPLACE',
      Tagging: pendingTag,
    });
    return (await orNull(s3Client(region).send(command))) !== null;
  },
});

export const openContentPresigner = (runtime: Runtime): ContentPresigner => ({
  presignPut: async (region, { key, contentType, sha256, sizeBytes, expiresInSeconds }) => {
    const headers = {
      'content-type': contentType,
      'if-none-match': '*',
      'x-amz-tagging': pendingTag,
      ...(sha256 === null ? {} : { 'x-amz-checksum-sha256': sha256 }),
      ...(sizeBytes === null ? {} : { 'content-length': String(sizeBytes) }),
    };
    const command = new PutObjectCommand({
      Bucket: contentBucket(runtime, region),
      Key: key,
      ContentType: contentType,
      IfNoneMatch: '*',
      Tagging: pendingTag,
      ...(sizeBytes === null ? {} : { ContentLength: sizeBytes }),
      ...(sha256 === null ? {} : { ChecksumSHA256: sha256 }),
    });
    const names = new Set(Object.keys(headers));
    const url = await getSignedUrl(s3Client(region), command, {
      expiresIn: expiresInSeconds,
      signableHeaders: new Set([...names, 'host']),
      unhoistableHeaders: names,
    });
    return { url, headers };
  },
});
