import * as z from 'zod';

const maxBytes = 40 * 1024;

/** What callers say of their own things: a JSON object of at most 40 KiB. */
export const Metadata = z
  .record(z.string().min(1).max(255), z.json())
  .refine((metadata) => Buffer.byteLength(JSON.stringify(metadata)) <= maxBytes, {
    error: 'metadata may have at most 40 KiB as JSON',
  });
