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

/** An object of the content bucket that is stored in parts, perhaps by several processes one after the other. */
export interface PartUpload {
  readonly region: string;
  readonly key: string;
  readonly uploadId: string;
}

/** Stores objects in parts. What is begun and never completed is removed by the bucket after a day. */
export interface PartUploader {
  /** Gives the id of the upload. */
  begin(region: string, key: string, contentType: string): Promise<string>;
  /** `number` counts from 1; all parts but the last have at least 5 MiB. May be repeated. */
  putPart(upload: PartUpload, number: number, bytes: Uint8Array): Promise<void>;
  /** Makes the object of all its parts; false where the upload is no more. */
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
      if (UploadId === undefined) throw new Error('the bucket began an upload without an id');
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
