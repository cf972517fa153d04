import * as z from 'zod';
import { isObject, type JsonObject } from '../kernel/json.ts';
import { expiryKey, maxMetadataBytes, rowMetadataBytes } from '../kernel/row-metadata.ts';
import { maxProblems } from './validation-problems.ts';

const Key = z.string().min(1).max(255);

/** Whether all numbers of a parsed body are finite. `JSON.parse` reads 1e400 as infinity. */
const isFiniteThroughout = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isFiniteThroughout);
};

/**
 * Returns a schema of a JSON object of at most 40 KiB, which does not change the value. The size is checked before the keys.
 * The values are not parsed again, because a schema of JSON values takes microseconds for each of millions of empty lists.
 */
const metadataOf = (weigh: (metadata: JsonObject) => number): z.ZodType<JsonObject> => {
  const schema: z.ZodType = z
    .unknown()
    .superRefine((value, context) => {
      if (!isObject(value)) {
        // The following checks require an object.
        context.addIssue({ code: 'invalid_type', expected: 'record', input: value, continue: false });
        return;
      }
      const infinite = Object.keys(value).filter((key) => !isFiniteThroughout(value[key]));
      for (const key of infinite.slice(0, maxProblems))
        context.addIssue({ code: 'custom', path: [key], message: 'every number must be finite as a 64-bit float' });
      if (infinite.length > 0) return;
      if (weigh(value) > maxMetadataBytes) {
        context.addIssue({ code: 'custom', message: 'metadata may have at most 40 KiB as JSON' });
        return;
      }
      if (Object.hasOwn(value, expiryKey))
        context.addIssue({
          code: 'custom',
          path: [expiryKey],
          message: 'this key is reserved: write expires_at beside the metadata',
        });
      for (const key of Object.keys(value)) {
        const { issues } = Key.safeParse(key).error ?? {};
        if (issues !== undefined)
          context.addIssue({ code: 'invalid_key', origin: 'record', issues, path: [key], input: key });
      }
    })
    .meta({
      jsonSchema: {
        type: 'object',
        propertyNames: { type: 'string', minLength: 1, maxLength: 255 },
        additionalProperties: { $ref: '#/components/schemas/JsonValue' },
      },
    });
  // The check above ensures the type, which `z.unknown` does not express.
  return schema as z.ZodType<JsonObject>;
};

/** Schema of metadata: a JSON object of at most 40 KiB. */
export const Metadata = metadataOf((metadata) => Buffer.byteLength(JSON.stringify(metadata)));

/** Schema of the metadata of a row. Keys that the service added to a chunk of a file do not count. */
export const RowMetadata = metadataOf(rowMetadataBytes);
