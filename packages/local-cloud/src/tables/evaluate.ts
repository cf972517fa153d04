import { type AttributeValue, compareValues, type Item, sameValues, setMembers, typeOf } from './attribute-value.ts';
import type { Comparator, Condition, Operand, Path } from './expression.ts';

/** Returns the value at a path of an item. */
export const valueAt = (item: Item, path: Path): AttributeValue | undefined => {
  let value: AttributeValue | undefined = { M: item };
  for (const step of path) value = value === undefined ? undefined : memberOf(value, step);
  return value;
};

const memberOf = (value: AttributeValue, step: string | number): AttributeValue | undefined => {
  if (typeof step === 'number') return 'L' in value ? value.L[step] : undefined;
  return 'M' in value && Object.hasOwn(value.M, step) ? value.M[step] : undefined;
};

const sizeOf = (value: AttributeValue): number | null => {
  if ('S' in value) return value.S.length;
  if ('B' in value) return Buffer.byteLength(value.B, 'base64');
  if ('L' in value) return value.L.length;
  return 'M' in value ? Object.keys(value.M).length : (setMembers(value)?.length ?? null);
};

const resolve = (operand: Operand, item: Item): AttributeValue | undefined => {
  if ('value' in operand) return operand.value;
  if ('path' in operand) return valueAt(item, operand.path);
  const value = valueAt(item, operand.sizeOf);
  const size = value === undefined ? null : sizeOf(value);
  return size === null ? undefined : { N: String(size) };
};

type Compared = AttributeValue | undefined;

const compares = (by: Comparator, left: Compared, right: Compared): boolean => {
  if (left === undefined || right === undefined) return by === '<>';
  if (by === '=') return sameValues(left, right);
  if (by === '<>') return !sameValues(left, right);
  const order = compareValues(left, right);
  if (order === null) return false;
  return { '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0 }[by];
};

const beginsWith = (value: AttributeValue, prefix: AttributeValue): boolean => {
  if ('S' in value && 'S' in prefix) return value.S.startsWith(prefix.S);
  if (!('B' in value && 'B' in prefix)) return false;
  const start = Buffer.from(prefix.B, 'base64');
  return Buffer.from(value.B, 'base64').subarray(0, start.length).equals(start);
};

const containsValue = (value: AttributeValue, sought: AttributeValue): boolean => {
  if ('S' in value) return 'S' in sought && value.S.includes(sought.S);
  if ('B' in value) return 'B' in sought && Buffer.from(value.B, 'base64').includes(Buffer.from(sought.B, 'base64'));
  if ('L' in value) return value.L.some((member) => sameValues(member, sought));
  const members = setMembers(value) ?? [];
  return typeOf(value) === `${typeOf(sought)}S` && members.includes(String(Object.values(sought)[0]));
};

const hasType = (value: AttributeValue, type: AttributeValue): boolean => 'S' in type && typeOf(value) === type.S;

/** Whether an item fulfils a condition. */
export const fulfils = (item: Item, condition: Condition): boolean => {
  switch (condition.kind) {
    case 'and':
      return condition.conditions.every((part) => fulfils(item, part));
    case 'or':
      return condition.conditions.some((part) => fulfils(item, part));
    case 'not':
      return !fulfils(item, condition.condition);
    case 'exists':
      return (valueAt(item, condition.path) !== undefined) === condition.exists;
    case 'compare':
      return compares(condition.by, resolve(condition.left, item), resolve(condition.right, item));
    case 'between': {
      const value = resolve(condition.operand, item);
      const [low, high] = [resolve(condition.low, item), resolve(condition.high, item)];
      return (
        [value, low, high].every((each) => each !== undefined) &&
        compares('>=', value, low) &&
        compares('<=', value, high)
      );
    }
    case 'in': {
      const value = resolve(condition.operand, item);
      return condition.list.some((each) => compares('=', value, resolve(each, item)));
    }
    case 'type':
    case 'begins':
    case 'contains': {
      const test = { type: hasType, begins: beginsWith, contains: containsValue }[condition.kind];
      const [left, right] = [resolve(condition.left, item), resolve(condition.right, item)];
      return left !== undefined && right !== undefined && test(left, right);
    }
  }
};
