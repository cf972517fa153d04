import * as z from 'zod';

/** Most bytes of one thing's metadata as JSON. */
export const metadataBytes = 40 * 1024;

/** What callers say of their own things: a JSON object of at most 40 KiB. */
export const Metadata = z
  .record(z.string().min(1).max(255), z.json())
  .refine((metadata) => Buffer.byteLength(JSON.stringify(metadata)) <= metadataBytes, {
    error: 'metadata may have at most 40 KiB as JSON',
  });
