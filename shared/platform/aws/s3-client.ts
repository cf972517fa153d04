import { S3Client } from '@aws-sdk/client-s3';
import { perRegion } from './per-region.ts';
import { requestTimeouts } from './request-timeouts.ts';

/** Checksums only where asked for: a presigned address must bind the caller's checksum, not one of an empty body. */
export const s3Client = perRegion(
  (region) =>
    new S3Client({
      region,
      requestHandler: requestTimeouts(60_000),
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
);
