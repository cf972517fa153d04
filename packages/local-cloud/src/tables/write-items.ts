import {
  type AttributeType,
  type AttributeValue,
  type Item,
  itemSize,
  orderedBytes,
  readItem,
  typeOf,
} from './attribute-value.ts';
import { fulfils } from './evaluate.ts';
import { type Condition, ExpressionReader, type Path, Placeholders } from './expression.ts';
import { type ItemStore, type KeyBytes, keyBytes, type StoredTable, type Write } from './item-store.ts';
import type { RequestOf } from './requests.ts';
import { conditionFailed, invalid, missingTable } from './tables-error.ts';
import { applyUpdate, checkPaths } from './update-item.ts';

// Source: DynamoDB, "Quotas".
const maxItemBytes = 400 * 1024;
const maxHashBytes = 2_048;
const maxRangeBytes = 1_024;

/** Write of one item that has been checked as far as possible without the item. */
export interface PlannedWrite {
  readonly table: StoredTable;
  readonly key: KeyBytes;
  /** Returns the item after the write. Throws if its condition does not hold. */
  readonly apply: (before: Item | null) => Item | null;
  /** Paths that an update changes. */
  readonly paths: readonly Path[];
}

/** Returns a table, or throws that there is none. */
export const tableOf = (store: ItemStore, name: string): StoredTable => {
  const table = store.table(name);
  if (table === undefined) throw missingTable();
  return table;
};

const attributeTypeOf = ({ definition }: StoredTable, name: string): AttributeType =>
  definition.attributes.find(({ AttributeName }) => AttributeName === name)?.AttributeType ?? 'S';

const checkKeySize = (value: AttributeValue, isHash: boolean): void => {
  if ('N' in value) return;
  const { length = 0 } = orderedBytes(value) ?? {};
  if (length === 0)
    throw invalid(
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty value',
    );
  if (isHash && length > maxHashBytes)
    throw invalid(
      'One or more parameter values were invalid: The partition key has exceeded the maximum size of 2048 bytes',
    );
  if (!isHash && length > maxRangeBytes)
    throw invalid(
      'One or more parameter values were invalid: The sort key has exceeded the maximum size of 1024 bytes',
    );
};

/** Returns the attributes of a table's key, in order. */
export const keyAttributes = ({ hash, range }: Pick<StoredTable, 'hash' | 'range'>): readonly string[] =>
  range === null ? [hash] : [hash, range];

/** Checks the key of a request and returns it. */
export const readKey = (table: StoredTable, raw: Readonly<Record<string, unknown>>): Item => {
  const key = readItem(raw);
  const attributes = keyAttributes(table);
  const fits = attributes.every((name) => {
    const value = key[name];
    return value !== undefined && typeOf(value) === attributeTypeOf(table, name);
  });
  if (!fits || Object.keys(key).length !== attributes.length)
    throw invalid('The provided key element does not match the schema');
  for (const [at, name] of attributes.entries()) {
    const value = key[name];
    if (value !== undefined) checkKeySize(value, at === 0);
  }
  return key;
};

/** Checks that the keys of the indexes of an item have their types, and the size of the item. */
const checkItem = (table: StoredTable, item: Item): void => {
  for (const index of table.indexes)
    for (const [at, name] of keyAttributes(index).entries()) {
      const value = item[name];
      if (value === undefined) continue;
      const [expected, actual] = [attributeTypeOf(table, name), typeOf(value)];
      if (expected !== actual)
        throw invalid(
          `One or more parameter values were invalid: Type mismatch for Index Key ${name} Expected: ${expected} Actual: ${actual} IndexName: ${index.definition.IndexName}`,
        );
      checkKeySize(value, at === 0);
    }
  if (itemSize(item) > maxItemBytes) throw invalid('Item size has exceeded the maximum allowed size');
};

/** Checks the item of a request and returns it. */
const readWholeItem = (table: StoredTable, raw: Readonly<Record<string, unknown>>): Item => {
  const item = readItem(raw);
  for (const [at, name] of keyAttributes(table).entries()) {
    const value = item[name];
    const expected = attributeTypeOf(table, name);
    if (value === undefined)
      throw invalid(`One or more parameter values were invalid: Missing the key ${name} in the item`);
    if (typeOf(value) !== expected)
      throw invalid(
        `One or more parameter values were invalid: Type mismatch for key ${name} expected: ${expected} actual: ${typeOf(value)}`,
      );
    checkKeySize(value, at === 0);
  }
  checkItem(table, item);
  return item;
};

/** Adds the name of its parameter to the error of an expression. */
export const inExpression = <Result>(parameter: string, read: () => Result): Result => {
  try {
    return read();
  } catch (error) {
    throw error instanceof Error && error.name !== 'RangeError'
      ? invalid(`Invalid ${parameter}: ${error.message}`)
      : error;
  }
};

/** Reads the condition or filter of a request; null if it has none. */
export const readCondition = (
  parameter: string,
  expression: string | undefined,
  placeholders: Placeholders,
): Condition | null => {
  if (expression === undefined) return null;
  return inExpression(parameter, () => {
    const reader = new ExpressionReader(expression, placeholders);
    return reader.whole(() => reader.condition());
  });
};

type Conditional = RequestOf<'DeleteItem'>;

/** Returns a function that throws if the condition of a request does not hold. */
const checkOf = (request: Omit<Conditional, 'Key' | 'ReturnValues'>, placeholders: Placeholders) => {
  const condition = readCondition('ConditionExpression', request.ConditionExpression, placeholders);
  return (before: Item | null): void => {
    if (condition === null || fulfils(before ?? {}, condition)) return;
    const isReturned = request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
    throw conditionFailed(isReturned ? (before ?? undefined) : undefined);
  };
};

const placeholdersOf = (request: Pick<Conditional, 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>) =>
  new Placeholders(request.ExpressionAttributeNames, request.ExpressionAttributeValues);

export const planPut = (store: ItemStore, request: RequestOf<'PutItem'>): PlannedWrite => {
  const table = tableOf(store, request.TableName);
  const placeholders = placeholdersOf(request);
  const check = checkOf(request, placeholders);
  placeholders.checkUse();
  const item = readWholeItem(table, request.Item);
  const apply = (before: Item | null): Item => {
    check(before);
    return item;
  };
  return { table, key: keyBytes(item, table), apply, paths: [] };
};

/** Plans a deletion; with `keeps` only the check of the condition. */
export const planDelete = (store: ItemStore, request: RequestOf<'DeleteItem'>, keeps = false): PlannedWrite => {
  const table = tableOf(store, request.TableName);
  const placeholders = placeholdersOf(request);
  const check = checkOf(request, placeholders);
  placeholders.checkUse();
  const apply = (before: Item | null): Item | null => {
    check(before);
    return keeps ? before : null;
  };
  return { table, key: keyBytes(readKey(table, request.Key), table), apply, paths: [] };
};

export const planUpdate = (store: ItemStore, request: RequestOf<'UpdateItem'>): PlannedWrite => {
  const table = tableOf(store, request.TableName);
  const placeholders = placeholdersOf(request);
  const { UpdateExpression: expression } = request;
  const actions =
    expression === undefined
      ? []
      : inExpression('UpdateExpression', () => {
          const read = new ExpressionReader(expression, placeholders).update();
          checkPaths(read.map(({ path }) => path));
          return read;
        });
  const check = checkOf(request, placeholders);
  placeholders.checkUse();
  const key = readKey(table, request.Key);
  const ofKey = actions.find(({ path: [name = ''] }) => Object.hasOwn(key, name));
  if (ofKey !== undefined)
    throw invalid(
      `One or more parameter values were invalid: Cannot update attribute ${ofKey.path[0]}. This attribute is part of the key`,
    );
  const apply = (before: Item | null): Item => {
    check(before);
    const after = applyUpdate(before ?? key, actions);
    checkItem(table, after);
    return after;
  };
  return { table, key: keyBytes(key, table), apply, paths: actions.map(({ path }) => path) };
};

/** Applies a planned write to the stored item. */
export const writeOf = (store: ItemStore, { table, key, apply }: PlannedWrite): Write => {
  const before = store.get(table, key);
  return { table, key, before, after: apply(before) };
};
