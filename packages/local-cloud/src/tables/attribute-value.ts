import { canonicalNumber, numberBytes, numberSize } from './decimal.ts';
import { invalid } from './tables-error.ts';

/** Value of an attribute in DynamoDB's JSON. Numbers are canonical texts, and bytes are in Base64. */
export type AttributeValue =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly B: string }
  | { readonly BOOL: boolean }
  | { readonly NULL: true }
  | { readonly SS: readonly string[] }
  | { readonly NS: readonly string[] }
  | { readonly BS: readonly string[] }
  | { readonly L: readonly AttributeValue[] }
  | { readonly M: Item };

export type Item = Readonly<Record<string, AttributeValue>>;

// Source: DynamoDB, "Quotas".
const maxDepth = 32;

const types = ['S', 'N', 'B', 'BOOL', 'NULL', 'SS', 'NS', 'BS', 'L', 'M'] as const;
export type AttributeType = (typeof types)[number];

/** Returns the type of a value, which has exactly one. */
export const typeOf = (value: AttributeValue): AttributeType => Object.keys(value)[0] as AttributeType;

const isObject = (raw: unknown): raw is Readonly<Record<string, unknown>> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw);

const readText = (raw: unknown, type: AttributeType): string => {
  if (typeof raw !== 'string') throw invalid(`The value of type ${type} is no string`);
  return raw;
};

const readScalar = (type: 'S' | 'N' | 'B', raw: unknown): string => {
  const text = readText(raw, type);
  if (type === 'N') return canonicalNumber(text);
  return type === 'S' ? text : Buffer.from(text, 'base64').toString('base64');
};

const readSet = (type: 'SS' | 'NS' | 'BS', raw: unknown): readonly string[] => {
  if (!Array.isArray(raw)) throw invalid(`The value of type ${type} is no list`);
  const members = raw.map((member) => readScalar(type === 'SS' ? 'S' : type === 'NS' ? 'N' : 'B', member));
  const kind = { SS: 'An string set ', NS: 'An number set ', BS: 'Binary sets' }[type];
  if (members.length === 0) throw invalid(`One or more parameter values were invalid: ${kind} may not be empty`);
  if (new Set(members).size < members.length)
    throw invalid(
      `One or more parameter values were invalid: Input collection [${members.join(', ')}] contains duplicates.`,
    );
  return members;
};

/** Checks a value of a request and returns it in canonical form. */
export const readValue = (raw: unknown, depth = 0): AttributeValue => {
  const [entry, ...others] = isObject(raw) ? Object.entries(raw) : [];
  if (entry === undefined || others.length > 0)
    throw invalid('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
  if (depth >= maxDepth)
    throw invalid('Nesting Levels have exceeded supported limits: Attributes in the item have nested levels');
  const [type, value] = entry;
  if (type === 'S') return { S: readScalar(type, value) };
  if (type === 'N') return { N: readScalar(type, value) };
  if (type === 'B') return { B: readScalar(type, value) };
  if (type === 'SS') return { SS: readSet(type, value) };
  if (type === 'NS') return { NS: readSet(type, value) };
  if (type === 'BS') return { BS: readSet(type, value) };
  if (type === 'BOOL' && typeof value === 'boolean') return { BOOL: value };
  if (type === 'NULL' && value === true) return { NULL: true };
  if (type === 'L' && Array.isArray(value)) return { L: value.map((member) => readValue(member, depth + 1)) };
  if (type === 'M' && isObject(value)) return { M: readItem(value, depth + 1) };
  throw invalid(`Supplied AttributeValue of type ${type} is not supported`);
};

/** Checks the attributes of a request and returns them in canonical form. */
export const readItem = (raw: Readonly<Record<string, unknown>>, depth = 0): Item =>
  Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, readValue(value, depth)]));

/** Returns bytes in the order of the values; null if the type has no order. */
export const orderedBytes = (value: AttributeValue): Buffer | null => {
  if ('S' in value) return Buffer.from(value.S, 'utf8');
  if ('N' in value) return numberBytes(value.N);
  return 'B' in value ? Buffer.from(value.B, 'base64') : null;
};

/** Compares two values of one type; null if they have no order. */
export const compareValues = (one: AttributeValue, other: AttributeValue): number | null => {
  if (typeOf(one) !== typeOf(other)) return null;
  const [left, right] = [orderedBytes(one), orderedBytes(other)];
  return left === null || right === null ? null : Buffer.compare(left, right);
};

/** Returns the members of a set; null for any other value. */
export const setMembers = (value: AttributeValue): readonly string[] | null => {
  if ('SS' in value) return value.SS;
  if ('NS' in value) return value.NS;
  return 'BS' in value ? value.BS : null;
};

const sameItems = (one: Item, other: Item): boolean => {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => {
      const [left, right] = [one[name], other[name]];
      return left !== undefined && right !== undefined && sameValues(left, right);
    })
  );
};

/** Whether two values are equal. Sets have no order. */
export const sameValues = (one: AttributeValue, other: AttributeValue): boolean => {
  if (typeOf(one) !== typeOf(other)) return false;
  if ('L' in one && 'L' in other)
    return one.L.length === other.L.length && one.L.every((value, at) => sameValues(value, other.L[at] ?? value));
  if ('M' in one && 'M' in other) return sameItems(one.M, other.M);
  const [left, right] = [setMembers(one), setMembers(other)];
  if (left !== null && right !== null)
    return left.length === right.length && left.every((member) => right.includes(member));
  return Object.values(one)[0] === Object.values(other)[0];
};

const textSize = (text: string): number => Buffer.byteLength(text);
const bytesSize = (text: string): number => Buffer.byteLength(text, 'base64');
const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);

const valueSize = (value: AttributeValue): number => {
  if ('S' in value) return textSize(value.S);
  if ('N' in value) return numberSize(value.N);
  if ('B' in value) return bytesSize(value.B);
  if ('SS' in value) return sum(value.SS.map(textSize));
  if ('NS' in value) return sum(value.NS.map(numberSize));
  if ('BS' in value) return sum(value.BS.map(bytesSize));
  if ('L' in value) return 3 + sum(value.L.map((member) => 1 + valueSize(member)));
  return 'M' in value ? 3 + Object.keys(value.M).length + itemSize(value.M) : 1;
};

/**
 * Returns the bytes that DynamoDB counts for an item.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export const itemSize = (item: Item): number =>
  sum(Object.entries(item).map(([name, value]) => textSize(name) + valueSize(value)));
