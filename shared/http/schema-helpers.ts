import * as z from 'zod';
import { isObject } from '../kernel/json.ts';

/** Runs a check of a whole object even if some of its fields are invalid, so that all problems are reported together. */
export const whenObject = ({ value }: { readonly value: unknown }): boolean => isObject(value);

/** Schema of a boolean in a query string. */
export const booleanText = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .meta({ jsonSchema: { type: 'boolean' } });

/** Limits the number of entries of a map. They are counted before each is validated, as zod does for lists. */
export const boundedMap = <Schema extends z.ZodRecord>(schema: Schema, maxEntries: number) =>
  z.preprocess((value, context) => {
    if (!isObject(value) || Object.keys(value).length <= maxEntries) return value;
    context.addIssue({ code: 'custom', message: `at most ${maxEntries} entries are allowed` });
    return z.NEVER;
  }, schema);

/** Message of issues of integer schemas, which zod itself reports like those of any number. */
export const integerIssue = 'int_type';
/** Message of issues of text in a query or path that is not an integer. */
export const integerTextIssue = 'int_parsing';

/** Schema of a JSON integer within the safe range. */
export const integer = () => z.int({ error: integerIssue });

/** Schema of an integer from `minimum` to `maximum` in a query string. */
export const integerText = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^[+-]?\d{1,300}$/, { error: integerTextIssue })
    .transform(Number)
    .pipe(integer().min(minimum).max(maximum))
    .meta({ jsonSchema: { type: 'integer', minimum, maximum } });

/** Optional field. Null counts as absent, because clients with typed requests often send null for absent fields. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema
    .nullable()
    .transform((value) => value ?? undefined)
    .optional()
    .meta(schema.description === undefined ? {} : { description: schema.description });

/** Field with a default, which also replaces null. */
export const defaulted = <Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>) =>
  schema
    .nullish()
    .transform((given): z.output<Schema> => given ?? value)
    .meta({ default: value });
