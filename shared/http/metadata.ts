import * as z from 'zod';

/** Most bytes of one thing's metadata as JSON. */
export const metadataBytes = 40 * 1024;

/** What `z.json()` is, with words for the only thing in a parsed body that is none: a number such as 1e400. */
const Value: z.ZodType<z.core.util.JSONType> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(Value), z.record(z.string(), Value)], {
    error: 'every number must be finite as a 64-bit float',
  }),
);

/** What callers say of their own things: a JSON object of at most 40 KiB. */
export const Metadata = z
  .record(z.string().min(1).max(255), Value)
  .refine((metadata) => Buffer.byteLength(JSON.stringify(metadata)) <= metadataBytes, {
    error: 'metadata may have at most 40 KiB as JSON',
  });
