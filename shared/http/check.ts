import * as z from 'zod';
import { maxItems } from '../kernel/bounds.ts';
import { type ValidationProblem, valueProblem } from '../kernel/errors.ts';
import { isObject } from '../kernel/json.ts';
import { withHints } from './foreign-fields.ts';
import { problemsOf } from './problems.ts';

/** What a schema makes of a part of a request; what is wrong with it is told among `problems`. */
export const check = (
  place: 'body' | 'query',
  schema: z.ZodType | undefined,
  input: unknown,
  problems: ValidationProblem[],
): unknown => {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const found = problemsOf(place, result.error.issues, input);
  const told = place === 'body' ? withHints(found, schema, input) : found;
  // Without a word of it the refusal would pass for none.
  problems.push(...(told.length > 0 ? told : [valueProblem([place], 'the value is not valid')]));
  return undefined;
};

const noFields: Readonly<Record<string, unknown>> = {};

/**
 * What of a body holds by itself, whatever is wrong with the rest: of an object its fields, of a list those of each item,
 * in its place, up to as many as a list may have.
 */
export const soundFields = (schema: unknown, input: unknown): unknown => {
  if (schema instanceof z.ZodArray) {
    const items: readonly unknown[] = Array.isArray(input) ? input : [];
    return items.map((item, at) => (at < maxItems ? soundFields(schema.element, item) : noFields));
  }
  if (!(schema instanceof z.ZodObject) || !isObject(input)) return noFields;
  return Object.fromEntries(
    Object.entries(schema.shape).flatMap(([name, field]) => {
      const result = z.safeParse(field, input[name]);
      return result.success ? [[name, result.data]] : [];
    }),
  );
};
