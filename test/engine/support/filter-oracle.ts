import type { Json, JsonObject } from '../../../shared/kernel/json.ts';
import type { Filter } from '../../../shared/platform/engine/filter.ts';

type Operand = string | number | boolean | readonly (string | number | boolean)[];

const equals = (value: Json | undefined, operand: unknown): boolean =>
  Array.isArray(value) ? value.some((member) => member === operand) : value === operand;

const within = (value: Json | undefined, operand: Operand): boolean =>
  Array.isArray(operand) && operand.some((member) => equals(value, member));

const ordered = (text: string): Buffer => Buffer.from(text.replaceAll(/["\p{Cc}\p{Cs}]/gu, '\\'));

const isInOrder = (operand: Operand, value: Json | undefined, holds: (order: number) => boolean): boolean => {
  if (typeof operand === 'number') return typeof value === 'number' && holds(value - operand);
  const members = (Array.isArray(value) ? value : [value]) as readonly unknown[];
  return members.some(
    (member) =>
      typeof member === 'string' &&
      member.length < 3_000 &&
      holds(Buffer.compare(ordered(member), ordered(String(operand)))),
  );
};

const answers: Readonly<Record<string, (value: Json | undefined, operand: Operand) => boolean>> = {
  $eq: equals,
  $ne: (value, operand) => !equals(value, operand),
  $in: within,
  $nin: (value, operand) => !within(value, operand),
  $gt: (value, operand) => isInOrder(operand, value, (order) => order > 0),
  $gte: (value, operand) => isInOrder(operand, value, (order) => order >= 0),
  $lt: (value, operand) => isInOrder(operand, value, (order) => order < 0),
  $lte: (value, operand) => isInOrder(operand, value, (order) => order <= 0),
  $exists: (value, operand) => (value !== undefined) === operand,
};

const isOperators = (value: unknown): value is Readonly<Record<string, Operand>> => typeof value === 'object';

/** What a filter means, read off its definition one operator at a time. */
export const oracle = (filter: Filter, metadata: JsonObject): boolean =>
  Object.entries(filter).every(([key, operand]) => {
    if (key === '$and') return (operand as readonly Filter[]).every((part) => oracle(part, metadata));
    if (key === '$or') return (operand as readonly Filter[]).some((part) => oracle(part, metadata));
    if (key === '$not') return !oracle(operand as Filter, metadata);
    const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
    if (!isOperators(operand)) return equals(value, operand);
    return Object.entries(operand).every(([operator, bound]) => answers[operator]?.(value, bound) ?? false);
  });
