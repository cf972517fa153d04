import { isObject, type Json, type JsonObject } from '../../../../shared/kernel/json.ts';
import type { Filter } from '../../src/filter.ts';

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

const timeForm = /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Units of time, 40 digits below the second, with a part for leap seconds; null for other texts. */
export const unitsOf = (text: string): bigint | null => {
  const [, date = '', hour = '', minute = '', second = '', fraction = '', sign, hours = '0', minutes = '0'] =
    timeForm.exec(text) ?? [];
  const isLeap = second === '60';
  const local = Date.parse(`${date}T${hour}:${minute}:${isLeap ? '59' : second}.000Z`);
  if (Number.isNaN(local) || hour === '24' || Number(hours) > 23 || Number(minutes) > 59) return null;
  if (new Date(local).toISOString().slice(-16, -14) !== date.slice(-2)) return null;
  const ahead = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60 : 60);
  const seconds = BigInt(local / 1000 - ahead);
  if (isLeap && (((seconds + 1n) % 86_400n) + 86_400n) % 86_400n !== 0n) return null;
  const units = BigInt(fraction.padEnd(40, '0').slice(0, 40));
  // A second takes two units of whole seconds. A leap second takes the upper one.
  return (seconds * 2n + (isLeap ? 1n : 0n)) * 10n ** 40n + units;
};

const isSameText = (left: string, right: string): boolean => {
  const instant = unitsOf(left);
  return left === right || (instant !== null && instant === unitsOf(right));
};

const isSame = (value: Json, operand: unknown): boolean => {
  if (typeof value === 'string' && typeof operand === 'string') return isSameText(value, operand);
  if (Array.isArray(value) && Array.isArray(operand))
    return value.length === operand.length && value.every((item: Json, at) => isSame(item, operand[at]));
  if (!isObject(value) || !isObject(operand)) return value === operand;
  const names = Object.keys(value);
  return (
    names.length === Object.keys(operand).length &&
    names.every((name) => Object.hasOwn(operand, name) && isSame(value[name] ?? null, operand[name]))
  );
};

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
  if (typeof operand === 'string') {
    const bound = unitsOf(operand);
    const texts = places.flatMap(({ value }) => membersOf(value)).filter((member) => typeof member === 'string');
    return texts.some((text) => {
      const time = unitsOf(text);
      if (bound !== null) return time !== null && holds(time < bound ? -1 : Number(time > bound));
      return JSON.stringify([key, text]).length <= 120 && holds(Buffer.compare(ordered(text), ordered(operand)));
    });
  }
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
