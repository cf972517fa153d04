import * as z from 'zod';
import { isObject, type JsonObject } from './json.ts';

/**
 * A JSON object that came from a JSON parser, so that its values need no check: `z.json()` takes microseconds for each of
 * them, which are millions in five megabytes of empty lists.
 */
export const ParsedObject = z.custom<JsonObject>(isObject).meta({
  jsonSchema: {
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/JsonValue' },
  },
});
