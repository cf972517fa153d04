import * as z from 'zod';
import { isObject } from './json.ts';

type Shape = z.ZodObject;
type Fields = Readonly<Record<string, unknown>>;

const tagsOf = (shape: Shape, key: string): readonly string[] =>
  [...(shape._zod.propValues?.[key] ?? [])].filter((tag) => typeof tag === 'string');

/** Returns the problems that `value` has in every shape. */
const sharedIssues = (key: string, shapes: readonly Shape[], value: Fields): readonly z.core.$ZodIssue[] => {
  const [first = [], ...others] = shapes.map(
    (shape) => shape.safeParse({ ...value, [key]: tagsOf(shape, key)[0] }).error?.issues ?? [],
  );
  const nameOf = ({ code, path, message }: z.core.$ZodIssue): string => JSON.stringify([code, path, message]);
  return first.filter((issue) => others.every((issues) => issues.some((other) => nameOf(other) === nameOf(issue))));
};

/**
 * Discriminated union of shapes by the field `key`.
 * An unknown tag gives an `enum` problem of that field, together with every problem that does not depend on it.
 * A plain discriminated union hides the latter.
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
      // A finished issue and a raw one differ in type only.
      for (const issue of sharedIssues(key, shapes, value))
        context.addIssue(issue as Parameters<typeof context.addIssue>[0]);
      return z.NEVER;
    },
    z.discriminatedUnion(key, shapes),
  );
};
