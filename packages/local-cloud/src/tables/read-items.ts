import {
  type AttributeValue,
  compareValues,
  type Item,
  itemSize,
  orderedBytes,
  readItem,
  typeOf,
} from './attribute-value.ts';
import { fulfils } from './evaluate.ts';
import { type Condition, ExpressionReader, type Operand, type Path, Placeholders } from './expression.ts';
import {
  type ItemStore,
  keyBytes,
  type KeyRange,
  type Position,
  type StoredIndex,
  type StoredTable,
} from './item-store.ts';
import type { RequestOf } from './requests.ts';
import { invalid } from './tables-error.ts';
import { checkPaths, project } from './update-item.ts';
import { inExpression, keyAttributes, readCondition, readKey, tableOf } from './write-items.ts';

// Source: DynamoDB, "Paginating table query results".
const maxPageBytes = 1024 * 1024;

/** Returns a function that projects items; the identity without a projection. */
export const projectionOf = (expression: string | undefined, placeholders: Placeholders): ((item: Item) => Item) => {
  if (expression === undefined) return (item) => item;
  const paths = inExpression('ProjectionExpression', () => {
    const reader = new ExpressionReader(expression, placeholders);
    const read = reader.whole(() => reader.paths());
    checkPaths(read);
    return read;
  });
  return (item) => project(item, paths);
};

const indexOf = (table: StoredTable, name: string | undefined): StoredIndex | null => {
  if (name === undefined) return null;
  const index = table.indexes.find(({ definition }) => definition.IndexName === name);
  if (index === undefined) throw invalid(`The table does not have the specified index: ${name}`);
  return index;
};

/** Returns the attributes of an item that an index contains. */
const contentOf = (table: StoredTable, { definition, hash, range }: StoredIndex) => {
  const { ProjectionType, NonKeyAttributes = [] } = definition.Projection;
  if (ProjectionType === 'ALL') return (item: Item): Item => item;
  const names = [...keyAttributes(table), ...keyAttributes({ hash, range }), ...NonKeyAttributes];
  const paths: readonly Path[] = [...new Set(names)].map((name) => [name]);
  return (item: Item): Item => project(item, paths);
};

/** Condition on one attribute of the key. */
interface KeyTest {
  readonly name: string;
  readonly by: '=' | '<' | '<=' | '>' | '>=' | 'between' | 'begins';
  readonly values: readonly AttributeValue[];
}

const notIndexable = (): Error => invalid('Query key condition not supported');

const nameOf = (operand: Operand): string => {
  if (!('path' in operand)) throw invalid('Invalid condition in KeyConditionExpression: No key attribute specified');
  const [name] = operand.path;
  if (operand.path.length !== 1 || typeof name !== 'string')
    throw invalid('KeyConditionExpressions cannot have conditions on nested attributes');
  return name;
};

const constantOf = (operand: Operand): AttributeValue => {
  if (!('value' in operand)) throw notIndexable();
  return operand.value;
};

const keyTestsOf = (condition: Condition): readonly KeyTest[] => {
  switch (condition.kind) {
    case 'and':
      return condition.conditions.flatMap(keyTestsOf);
    case 'compare':
      if (condition.by === '<>') throw invalid('Invalid operator used in KeyConditionExpression: <>');
      return [{ name: nameOf(condition.left), by: condition.by, values: [constantOf(condition.right)] }];
    case 'between':
      return [
        {
          name: nameOf(condition.operand),
          by: 'between',
          values: [constantOf(condition.low), constantOf(condition.high)],
        },
      ];
    case 'begins':
      return [{ name: nameOf(condition.left), by: 'begins', values: [constantOf(condition.right)] }];
    default:
      throw invalid(`Invalid operator used in KeyConditionExpression: ${condition.kind.toUpperCase()}`);
  }
};

/** Returns the first bytes after all that begin with a prefix; null if there are none. */
const endOfPrefix = (prefix: Buffer): Buffer | null => {
  const end = prefix.findLastIndex((byte) => byte < 0xff);
  if (end === -1) return null;
  const bytes = Buffer.from(prefix.subarray(0, end + 1));
  bytes[end] = (bytes[end] ?? 0) + 1;
  return bytes;
};

const bytesOf = (value: AttributeValue | undefined): Buffer => {
  const bytes = value === undefined ? null : orderedBytes(value);
  if (bytes === null) throw notIndexable();
  return bytes;
};

const boundsOf = ({ by, values: [low, high] }: KeyTest): KeyRange['bounds'] => {
  if (by === 'between') {
    if (low !== undefined && high !== undefined && (compareValues(low, high) ?? 0) > 0)
      throw invalid(
        'Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound',
      );
    return [
      { by: '>=', bytes: bytesOf(low) },
      { by: '<=', bytes: bytesOf(high) },
    ];
  }
  const bytes = bytesOf(low);
  if (by !== 'begins') return [{ by, bytes }];
  const end = endOfPrefix(bytes);
  return [{ by: '>=', bytes }, ...(end === null ? [] : [{ by: '<' as const, bytes: end }])];
};

/** Returns the range of a query. */
const rangeOf = (
  table: StoredTable,
  { hash, range }: Pick<StoredTable, 'hash' | 'range'>,
  tests: readonly KeyTest[],
  reverse: boolean,
): KeyRange => {
  const typed = table.definition.attributes;
  const ofHash = tests.filter(({ name }) => name === hash);
  const ofRange = tests.filter(({ name }) => name === range);
  if (ofHash.length !== 1) throw invalid(`Query condition missed key schema element: ${hash}`);
  if (ofHash[0]?.by !== '=' || ofHash.length + ofRange.length < tests.length || ofRange.length > 1)
    throw notIndexable();
  for (const { name, by, values } of tests) {
    const type = typed.find(({ AttributeName }) => AttributeName === name)?.AttributeType;
    if (values.some((value) => typeOf(value) !== type))
      throw invalid('One or more parameter values were invalid: Condition parameter type does not match schema type');
    if (by === 'begins' && type === 'N') throw notIndexable();
  }
  return { hash: bytesOf(ofHash[0].values[0]), bounds: ofRange.flatMap(boundsOf), reverse };
};

const fits = (order: number, by: KeyRange['bounds'][number]['by']): boolean =>
  ({ '=': order === 0, '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0 })[by];

/** Returns where a page starts; null without a start key, which must lie within the range. */
const positionOf = (
  table: StoredTable,
  index: StoredIndex | null,
  range: KeyRange | null,
  raw: Readonly<Record<string, unknown>> | undefined,
): Position | null => {
  if (raw === undefined) return null;
  const start = readItem(raw);
  const names = new Set([...keyAttributes(table), ...(index === null ? [] : keyAttributes(index))]);
  if (Object.keys(start).length !== names.size || [...names].some((name) => start[name] === undefined))
    throw invalid('The provided starting key is invalid');
  readKey(table, Object.fromEntries(keyAttributes(table).map((name) => [name, start[name]])));
  const key = keyBytes(start, index ?? table);
  if (range !== null && !key.hash.equals(range.hash))
    throw invalid('The provided starting key is outside query boundaries based on provided conditions');
  if (range?.bounds.some(({ by, bytes }) => !fits(Buffer.compare(key.range, bytes), by)) === true)
    throw invalid('The provided starting key does not match the range key predicate');
  return { ...key, item: index === null ? null : keyBytes(start, table) };
};

/** Checks what is to be returned. */
const checkSelect = (request: RequestOf<'Scan'>, index: StoredIndex | null): void => {
  const { Select, ProjectionExpression, ConsistentRead } = request;
  if (index !== null && ConsistentRead === true)
    throw invalid('Consistent reads are not supported on global secondary indexes');
  if (index !== null && Select === 'ALL_ATTRIBUTES' && index.definition.Projection.ProjectionType !== 'ALL')
    throw invalid('Select type ALL_ATTRIBUTES is not supported for a secondary index whose projection type is not ALL');
  if (ProjectionExpression !== undefined && Select !== undefined && Select !== 'SPECIFIC_ATTRIBUTES')
    throw invalid(`Cannot specify the ProjectionExpression when choosing to get ${Select}`);
};

const namesIn = (condition: Condition): readonly Path[] => {
  const of = (...operands: readonly Operand[]): readonly Path[] =>
    operands.flatMap((each) => ('path' in each ? [each.path] : 'sizeOf' in each ? [each.sizeOf] : []));
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.conditions.flatMap(namesIn);
    case 'not':
      return namesIn(condition.condition);
    case 'exists':
      return [condition.path];
    case 'between':
      return of(condition.operand, condition.low, condition.high);
    case 'in':
      return of(condition.operand, ...condition.list);
    default:
      return of(condition.left, condition.right);
  }
};

/** Returns one page of a query or scan. */
export const readPage = (store: ItemStore, request: RequestOf<'Scan'> & Partial<RequestOf<'Query'>>): object => {
  const table = tableOf(store, request.TableName);
  const index = indexOf(table, request.IndexName);
  checkSelect(request, index);
  const placeholders = new Placeholders(request.ExpressionAttributeNames, request.ExpressionAttributeValues);
  const keyCondition = readCondition('KeyConditionExpression', request.KeyConditionExpression, placeholders);
  const filter = readCondition('FilterExpression', request.FilterExpression, placeholders);
  const projection = projectionOf(request.ProjectionExpression, placeholders);
  placeholders.checkUse();
  const keys = index ?? table;
  const range =
    keyCondition === null ? null : rangeOf(table, keys, keyTestsOf(keyCondition), request.ScanIndexForward === false);
  const ofKey =
    keyCondition !== null && filter !== null
      ? namesIn(filter).find(([name]) => keyAttributes(keys).includes(String(name)))
      : undefined;
  if (ofKey !== undefined)
    throw invalid(`Filter Expression can only contain non-primary key attributes: Primary key attribute: ${ofKey[0]}`);
  const position = positionOf(table, index, range, request.ExclusiveStartKey);

  const content = index === null ? (item: Item) => item : contentOf(table, index);
  const items: Item[] = [];
  const { Limit: limit = Infinity } = request;
  let [scanned, bytes] = [0, 0];
  let last: Item | null = null;
  for (const whole of store.range(table, index, range, position, request.Limit)) {
    const item = content(whole);
    scanned += 1;
    bytes += itemSize(item);
    if (filter === null || fulfils(item, filter)) items.push(projection(item));
    last = scanned >= limit || bytes >= maxPageBytes ? item : null;
    if (last !== null) break;
  }
  const nextNames = [...keyAttributes(table), ...(index === null ? [] : keyAttributes(index))];
  return {
    ...(request.Select === 'COUNT' ? {} : { Items: items }),
    Count: items.length,
    ScannedCount: scanned,
    ...(last === null
      ? {}
      : {
          LastEvaluatedKey: project(
            last,
            [...new Set(nextNames)].map((name) => [name]),
          ),
        }),
  };
};
