import type * as z from 'zod';

/** A field that a request may leave out. Null means the same, since clients with typed requests often write what is absent so. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema
    .nullable()
    .transform((value) => value ?? undefined)
    .optional()
    .meta(schema.description === undefined ? {} : { description: schema.description });

/** A field that has a value of its own where a request leaves it out or has null there. */
export const defaulted = <Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>) =>
  schema
    .nullish()
    .transform((given): z.output<Schema> => given ?? value)
    .meta({ default: value });
