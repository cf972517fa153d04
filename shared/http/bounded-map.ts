import * as z from 'zod';
import { isObject } from '../kernel/json.ts';

/** A map of at most so many entries: they are counted before the schema looks at each, as it does for lists by itself. */
export const boundedMap = <Schema extends z.ZodRecord>(schema: Schema, maxEntries: number) =>
  z.preprocess((value, context) => {
    if (!isObject(value) || Object.keys(value).length <= maxEntries) return value;
    context.addIssue({ code: 'custom', message: `at most ${maxEntries} entries are allowed` });
    return z.NEVER;
  }, schema);
