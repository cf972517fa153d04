import { S3Client } from '@aws-sdk/client-s3';
import { promptly } from './promptly.ts';
import { perRegion } from './per-region.ts';

/** Checksums only where asked for: a presigned address must bind the caller's checksum, not one of an empty body. */
export const s3Client = perRegion(
  (region) =>
    new S3Client({
      region,
      requestHandler: promptly(60_000),
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
);
