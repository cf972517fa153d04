import * as z from 'zod';
import { isObject, type JsonObject } from '../kernel/json.ts';
import { maxMetadataBytes, rowMetadataBytes } from '../kernel/row-metadata.ts';
import { mostProblems } from './problems.ts';

const Key = z.string().min(1).max(255);

/** A parsed body holds one thing that is no JSON: a number such as 1e400. */
const isFiniteThroughout = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isFiniteThroughout);
};

/**
 * A JSON object of at most 40 KiB. Its size is checked before its keys, and no value is parsed again: a schema of JSON values takes
 * microseconds for each of millions of empty lists. It passes unchanged.
 */
const metadataOf = (weigh: (metadata: JsonObject) => number): z.ZodType<JsonObject> => {
  const schema: z.ZodType = z
    .unknown()
    .superRefine((value, context) => {
      if (!isObject(value)) {
        // Checks that follow read an object.
        context.addIssue({ code: 'invalid_type', expected: 'record', input: value, continue: false });
        return;
      }
      const infinite = Object.keys(value).filter((key) => !isFiniteThroughout(value[key]));
      for (const key of infinite.slice(0, mostProblems))
        context.addIssue({ code: 'custom', path: [key], message: 'every number must be finite as a 64-bit float' });
      if (infinite.length > 0) return;
      if (weigh(value) > maxMetadataBytes) {
        context.addIssue({ code: 'custom', message: 'metadata may have at most 40 KiB as JSON' });
        return;
      }
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
  // The check above proves the shape, which an unknown schema cannot express in its type.
  return schema as z.ZodType<JsonObject>;
};

/** What callers say of their own things: a JSON object of at most 40 KiB. */
export const Metadata = metadataOf((metadata) => Buffer.byteLength(JSON.stringify(metadata)));

/** The same of a row, which may have been a chunk of a file: what the service stated of it then is not weighed. */
export const RowMetadata = metadataOf(rowMetadataBytes);
