import * as z from 'zod';
import { maxItems } from '../kernel/bounds.ts';
import { type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import { isObject } from '../kernel/json.ts';
import { withHints } from './field-hints.ts';
import { problemsOf } from './validation-problems.ts';

/** Validates a part of a request. Returns the parsed value, or undefined after adding to `problems`. */
export const validate = (
  place: 'body' | 'query',
  schema: z.ZodType | undefined,
  input: unknown,
  problems: ValidationProblem[],
): unknown => {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const found = problemsOf(place, result.error.issues, input);
  const reported = place === 'body' ? withHints(found, schema, input) : found;
  // An invalid value always adds a problem, or the request would pass as valid.
  problems.push(...(reported.length > 0 ? reported : [valueProblem([place], 'the value is not valid')]));
  return undefined;
};

const noFields: Readonly<Record<string, unknown>> = {};

/**
 * Returns the valid fields of a body whose other fields may be invalid. Items of a list keep their positions, up to the
 * maximum length of a list.
 */
export const validFields = (schema: unknown, input: unknown): unknown => {
  if (schema instanceof z.ZodArray) {
    const items: readonly unknown[] = Array.isArray(input) ? input : [];
    return items.map((item, at) => (at < maxItems ? validFields(schema.element, item) : noFields));
  }
  if (!(schema instanceof z.ZodObject) || !isObject(input)) return noFields;
  return Object.fromEntries(
    Object.entries(schema.shape).flatMap(([name, field]) => {
      const result = z.safeParse(field, input[name]);
      return result.success ? [[name, result.data]] : [];
    }),
  );
};
