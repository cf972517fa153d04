import * as z from 'zod';
import { isObject, type JsonObject } from './json.ts';

/**
 * Schema of an object from a JSON parser, whose values need no check.
 * `z.json()` takes microseconds for each value, and five megabytes of empty lists have millions.
 */
export const ParsedObject = z.custom<JsonObject>(isObject).meta({
  jsonSchema: {
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/JsonValue' },
  },
});
