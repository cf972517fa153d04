import { S3Client } from '@aws-sdk/client-s3';
import { perRegion } from './per-region.ts';
import { requestTimeouts } from './request-timeouts.ts';

/**
 * S3 client. Checksums are optional, because a presigned URL must bind the caller's checksum, not that of an empty
 * body.
 */
export const s3Client = perRegion(
  (region) =>
    new S3Client({
      region,
      requestHandler: requestTimeouts(60_000),
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
);
