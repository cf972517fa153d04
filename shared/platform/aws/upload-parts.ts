import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  NoSuchUpload,
  paginateListParts,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { capability, type Runtime } from '../../kernel/capability.ts';
import { s3Client } from './s3-client.ts';
import { contentBucket } from './objects.ts';

/** A multipart upload to the content bucket, possibly by several processes one after the other. */
export interface PartUpload {
  readonly region: string;
  readonly key: string;
  readonly uploadId: string;
}

/** Stores objects by multipart upload. A lifecycle rule removes incomplete uploads after a day. */
export interface PartUploader {
  /** Starts an upload and returns its id. */
  begin(region: string, key: string, contentType: string): Promise<string>;
  /** Stores a part. `number` counts from 1; all parts except the last have at least 5 MiB. May be repeated. */
  putPart(upload: PartUpload, number: number, bytes: Uint8Array): Promise<void>;
  /** Completes the object from all its parts. Returns false if the upload no longer exists. */
  complete(upload: PartUpload): Promise<boolean>;
}

const openPartUploader = (runtime: Runtime): PartUploader => {
  const targetOf = ({ region, key, uploadId }: PartUpload) => ({
    Bucket: contentBucket(runtime, region),
    Key: key,
    UploadId: uploadId,
  });
  const finish = async (upload: PartUpload): Promise<void> => {
    const Parts: { readonly PartNumber: number | undefined; readonly ETag: string | undefined }[] = [];
    for await (const page of paginateListParts({ client: s3Client(upload.region) }, targetOf(upload)))
      for (const { PartNumber, ETag } of page.Parts ?? []) Parts.push({ PartNumber, ETag });
    const command = new CompleteMultipartUploadCommand({ ...targetOf(upload), MultipartUpload: { Parts } });
    await s3Client(upload.region).send(command);
  };
  return {
    begin: async (region, key, contentType) => {
      const object = { Bucket: contentBucket(runtime, region), Key: key, ContentType: contentType };
      const { UploadId } = await s3Client(region).send(new CreateMultipartUploadCommand(object));
      if (UploadId === undefined) throw new Error('S3 returned no upload id');
      return UploadId;
    },
    putPart: async (upload, number, bytes) => {
      const command = new UploadPartCommand({ ...targetOf(upload), PartNumber: number, Body: bytes });
      await s3Client(upload.region).send(command);
    },
    complete: async (upload) => {
      try {
        await finish(upload);
        return true;
      } catch (error) {
        if (error instanceof NoSuchUpload) return false;
        throw error;
      }
    },
  };
};

export const partUploader = capability<PartUploader>(['uploads.put', 'uploads.parts'], openPartUploader);
