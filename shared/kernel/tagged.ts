import * as z from 'zod';
import { isObject } from './json.ts';

type Shape = z.ZodObject;
type Fields = Readonly<Record<string, unknown>>;

const tagsOf = (shape: Shape, key: string): readonly string[] =>
  [...(shape._zod.propValues?.[key] ?? [])].filter((tag) => typeof tag === 'string');

/** The problems that `value` has whichever of the shapes it was meant to be. */
const sharedIssues = (key: string, shapes: readonly Shape[], value: Fields): readonly z.core.$ZodIssue[] => {
  const [first = [], ...others] = shapes.map(
    (shape) => shape.safeParse({ ...value, [key]: tagsOf(shape, key)[0] }).error?.issues ?? [],
  );
  const nameOf = ({ code, path, message }: z.core.$ZodIssue): string => JSON.stringify([code, path, message]);
  return first.filter((issue) => others.every((issues) => issues.some((other) => nameOf(other) === nameOf(issue))));
};

/**
 * One of several shapes that the field `key` tells apart. Where the field names none of them, the answer is an `enum`
 * problem of that field together with every problem that does not depend on it, which a plain discriminated union hides.
 */
export const tagged = <const Key extends string, const Shapes extends readonly [Shape, ...Shape[]]>(
  key: Key,
  shapes: Shapes,
) => {
  const tags = shapes.flatMap((shape) => tagsOf(shape, key));
  return z.preprocess(
    (value, context) => {
      if (!isObject(value)) {
        context.addIssue({ code: 'invalid_type', expected: 'object', input: value });
        return z.NEVER;
      }
      const tag = value[key];
      if (typeof tag === 'string' && tags.includes(tag)) return value;
      context.addIssue({ code: 'invalid_value', values: [...tags], path: [key], input: tag });
      // A finished issue differs from a raw one in its type alone.
      for (const issue of sharedIssues(key, shapes, value))
        context.addIssue(issue as Parameters<typeof context.addIssue>[0]);
      return z.NEVER;
    },
    z.discriminatedUnion(key, shapes),
  );
};
