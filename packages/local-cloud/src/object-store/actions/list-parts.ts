import { readInteger, type S3Request } from '../request.ts';
import { sendXml } from '../respond.ts';
import type { Store } from '../store.ts';
import { checksumElement } from '../checksums.ts';
import { findParts, findUpload } from '../uploads.ts';

const maxPartsPerPage = 1000;

/** ListParts, paged by part number. */
export const listParts = (store: Store, request: S3Request): void => {
  const { sql } = store.database;
  const { bucket, key, query, response } = request;
  const upload = findUpload(sql, request);
  const marker = readInteger(query, 'part-number-marker', 0, 0, 2 ** 31);
  const maxParts = Math.min(readInteger(query, 'max-parts', maxPartsPerPage, 1, 2 ** 31), maxPartsPerPage);
  const rest = findParts(sql, upload.id).filter(({ number }) => number > marker);
  const page = rest.slice(0, maxParts);
  sendXml(response, 'ListPartsResult', {
    Bucket: bucket.name,
    Key: key,
    UploadId: upload.id,
    PartNumberMarker: marker,
    NextPartNumberMarker: page.at(-1)?.number,
    MaxParts: maxParts,
    IsTruncated: rest.length > page.length,
    Part: page.map(({ number, modifiedMs, eTag, size, checksumHeader, checksum }) => ({
      PartNumber: number,
      LastModified: new Date(modifiedMs).toISOString(),
      ETag: `"${eTag}"`,
      Size: size,
      ...(checksumHeader && { [checksumElement(checksumHeader)]: checksum ?? '' }),
    })),
  });
};
