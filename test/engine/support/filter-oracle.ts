import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../../../shared/kernel/json.ts';
import type { Filter } from '../../../shared/platform/engine/filter.ts';

type Operand =
  | string
  | number
  | boolean
  | null
  | JsonObject
  | readonly (string | number | boolean | null | JsonObject)[];

/** A value at a path, and whether the path leads through a list. */
interface Place {
  readonly value: Json;
  readonly isInList: boolean;
}

const membersOf = (value: Json): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : [value]);

/** Returns the values that a key, or the names along a path, lead to. */
export const valuesAt = (object: JsonObject, path: string, isInList = false, level = 0): readonly Place[] =>
  Object.entries(object).flatMap(([name, value]) => {
    if (name === path) return [{ value, isInList }];
    if (!path.startsWith(`${name}.`) || level === 8) return [];
    const rest = path.slice(name.length + 1);
    return membersOf(value)
      .filter(isObject)
      .flatMap((member) => valuesAt(member, rest, isInList || Array.isArray(value), level + 1));
  });

const isSame = (value: Json, operand: unknown): boolean =>
  isObject(value)
    ? isDeepStrictEqual(JSON.parse(JSON.stringify(value)), JSON.parse(JSON.stringify(operand)))
    : value === operand;

const equals = (places: readonly Place[], operand: unknown): boolean =>
  places.some(({ value }) => membersOf(value).some((member) => isSame(member, operand)));

const within = (places: readonly Place[], operand: Operand): boolean =>
  Array.isArray(operand) && operand.some((member) => equals(places, member));

const ordered = (text: string): Buffer => Buffer.from(text.replaceAll(/["\p{Cc}\p{Cs}]/gu, '\\'));

const isInOrder = (
  operand: Operand,
  places: readonly Place[],
  key: string,
  holds: (order: number) => boolean,
): boolean => {
  if (typeof operand === 'string')
    return places
      .flatMap(({ value }) => membersOf(value))
      .some(
        (member) =>
          typeof member === 'string' &&
          JSON.stringify([key, member]).length <= 120 &&
          holds(Buffer.compare(ordered(member), ordered(operand))),
      );
  const [place] = places;
  return (
    typeof operand === 'number' &&
    places.length === 1 &&
    place?.isInList === false &&
    typeof place.value === 'number' &&
    holds(place.value - operand)
  );
};

const answers: Readonly<Record<string, (places: readonly Place[], operand: Operand, key: string) => boolean>> = {
  $eq: equals,
  $ne: (places, operand) => !equals(places, operand),
  $in: within,
  $nin: (places, operand) => !within(places, operand),
  $gt: (places, operand, key) => isInOrder(operand, places, key, (order) => order > 0),
  $gte: (places, operand, key) => isInOrder(operand, places, key, (order) => order >= 0),
  $lt: (places, operand, key) => isInOrder(operand, places, key, (order) => order < 0),
  $lte: (places, operand, key) => isInOrder(operand, places, key, (order) => order <= 0),
  $exists: (places, operand) => places.length > 0 === operand,
};

const isOperators = (value: unknown): value is Readonly<Record<string, Operand>> =>
  isObject(value) && Object.keys(value).every((name) => name.startsWith('$'));

/** What a filter means, read off its definition one operator at a time. */
export const oracle = (filter: Filter, metadata: JsonObject): boolean =>
  Object.entries(filter).every(([key, operand]) => {
    if (key === '$and') return (operand as readonly Filter[]).every((part) => oracle(part, metadata));
    if (key === '$or') return (operand as readonly Filter[]).some((part) => oracle(part, metadata));
    if (key === '$not') return !oracle(operand as Filter, metadata);
    const places = valuesAt(metadata, key);
    if (!isOperators(operand)) return equals(places, operand);
    return Object.entries(operand).every(([operator, bound]) => answers[operator]?.(places, bound, key) ?? false);
  });
