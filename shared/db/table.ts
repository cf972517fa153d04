import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Runtime } from '../kernel/capability.ts';
import { type TableName, tableName } from '../kernel/names.ts';
import { dynamoClient } from '../platform/aws/clients.ts';
import { type Condition, conditionExpression, Placeholders, type Value } from './condition.ts';

/** Address of one item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** The attributes of an item besides its key; absent attributes are absent. */
export type Attributes = Readonly<Record<string, Value>>;

/** An item as it is stored. */
export type Item = Key & Attributes;

/** One atomic change of one item; creates the item unless a condition forbids it. */
export interface Change {
  readonly set?: Readonly<Record<string, Value | undefined>>;
  /** Sets only where the attribute is absent. */
  readonly setOnce?: Attributes;
  /** Adds to numbers; absent counts as 0. */
  readonly add?: Readonly<Record<string, number>>;
  /** Adds members to string sets. */
  readonly include?: Readonly<Record<string, readonly string[]>>;
  /** Takes members out of string sets. */
  readonly exclude?: Readonly<Record<string, readonly string[]>>;
  readonly remove?: readonly string[];
  readonly condition?: Condition;
}

export interface Page {
  readonly items: readonly Item[];
  /** Sort key to continue after; null at the end. */
  readonly next: string | null;
}

export interface QueryOptions {
  readonly prefix?: string;
  /** Exclusive start: the sort key after which to go on. */
  readonly after?: string;
  readonly limit?: number;
  /** Descending order of the sort key. */
  readonly newestFirst?: boolean;
  readonly where?: Condition;
}

/** One table through conditions as data. Reads are strongly consistent; a failed condition is a value, not an error. */
export interface Table {
  get(key: Key): Promise<Item | null>;
  /** False where the condition did not hold. */
  put(item: Item, condition?: Condition): Promise<boolean>;
  /** The item after the change; null where the condition did not hold. */
  update(key: Key, change: Change): Promise<Item | null>;
  /** False where the condition did not hold. */
  delete(key: Key, condition?: Condition): Promise<boolean>;
  /** One page of a partition in order of its sort key. */
  query(pk: string, options?: QueryOptions): Promise<Page>;
  /** All items of a partition, page by page. */
  all(pk: string, options?: QueryOptions): AsyncIterable<Item>;
  /** Number of items of a partition. */
  count(pk: string, options?: QueryOptions): Promise<number>;
  /** Keys of items whose `due_at` has come, oldest first; eventually consistent. */
  due(duePk: string, until: string, limit: number): Promise<readonly Key[]>;
}

/** True unless DynamoDB says that the condition did not hold. */
const holds = async <Result>(request: Promise<Result>): Promise<Result | null> => {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return null;
    throw error;
  }
};

/** Names, values and condition as DynamoDB wants them: absent where empty. */
const expressions = (into: Placeholders, condition: Condition | undefined) => {
  const expression = condition === undefined ? '' : conditionExpression(condition, into);
  return {
    ...(expression === '' ? {} : { ConditionExpression: expression }),
    ...(Object.keys(into.names).length === 0 ? {} : { ExpressionAttributeNames: into.names }),
    ...(Object.keys(into.values).length === 0 ? {} : { ExpressionAttributeValues: into.values }),
  };
};

const updateExpression = (change: Change, into: Placeholders): string => {
  const set = Object.entries(change.set ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [`${into.name(name)} = ${into.value(value)}`],
  );
  const once = Object.entries(change.setOnce ?? {}).map(([name, value]) => {
    const placeholder = into.name(name);
    return `${placeholder} = if_not_exists(${placeholder}, ${into.value(value)})`;
  });
  const add = Object.entries(change.add ?? {}).map(([name, by]) => `${into.name(name)} ${into.value(by)}`);
  const sets = (members: Change['include']) =>
    Object.entries(members ?? {})
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => `${into.name(name)} ${into.value(new Set(values))}`);
  const remove = (change.remove ?? []).map((name) => into.name(name));
  return [
    ['SET', [...set, ...once]],
    ['ADD', [...add, ...sets(change.include)]],
    ['DELETE', sets(change.exclude)],
    ['REMOVE', remove],
  ]
    .filter(([, clauses]) => (clauses as string[]).length > 0)
    .map(([verb, clauses]) => `${verb as string} ${(clauses as string[]).join(', ')}`)
    .join(' ');
};

const queryInput = (pk: string, options: QueryOptions) => {
  const into = new Placeholders();
  const tests = [`${into.name('pk')} = ${into.value(pk)}`];
  if (options.prefix !== undefined) tests.push(`begins_with(${into.name('sk')}, ${into.value(options.prefix)})`);
  const filter = options.where === undefined ? '' : conditionExpression(options.where, into);
  return {
    KeyConditionExpression: tests.join(' AND '),
    ...(filter === '' ? {} : { FilterExpression: filter }),
    ExpressionAttributeNames: into.names,
    ExpressionAttributeValues: into.values,
    ConsistentRead: true,
    ScanIndexForward: options.newestFirst !== true,
    ...(options.limit === undefined ? {} : { Limit: options.limit }),
    ...(options.after === undefined ? {} : { ExclusiveStartKey: { pk, sk: options.after } }),
  };
};

/** Opens a table of the home region. Throws the SDK's errors; nothing is sent before the first call. */
export const openTable = (runtime: Runtime, table: TableName): Table => {
  const TableName = tableName(runtime.config.deployment, table);
  const client = DynamoDBDocumentClient.from(dynamoClient(runtime.config.homeRegion), {
    marshallOptions: { removeUndefinedValues: true },
  });
  const query = async (pk: string, options: QueryOptions = {}): Promise<Page> => {
    const { Items, LastEvaluatedKey } = await client.send(new QueryCommand({ TableName, ...queryInput(pk, options) }));
    return { items: (Items ?? []) as Item[], next: (LastEvaluatedKey?.['sk'] as string | undefined) ?? null };
  };
  const pages = async function* (pk: string, options: QueryOptions = {}): AsyncIterable<Page> {
    let after: string | null | undefined = options.after;
    do {
      const page: Page = await query(pk, { ...options, ...(after == null ? {} : { after }) });
      yield page;
      after = page.next;
    } while (after !== null);
  };
  return {
    query,
    get: async (key) => {
      const { Item } = await client.send(new GetCommand({ TableName, Key: key, ConsistentRead: true }));
      return (Item as Item | undefined) ?? null;
    },
    put: async (item, condition) => {
      const into = new Placeholders();
      return (await holds(client.send(new PutCommand({ TableName, Item: item, ...expressions(into, condition) })))) !== null;
    },
    update: async (key, change) => {
      const into = new Placeholders();
      const UpdateExpression = updateExpression(change, into);
      const request = new UpdateCommand({
        TableName,
        Key: key,
        ...(UpdateExpression === '' ? {} : { UpdateExpression }),
        ReturnValues: 'ALL_NEW',
        ...expressions(into, change.condition),
      });
      return ((await holds(client.send(request)))?.Attributes as Item | undefined) ?? null;
    },
    delete: async (key, condition) => {
      const into = new Placeholders();
      return (await holds(client.send(new DeleteCommand({ TableName, Key: key, ...expressions(into, condition) })))) !== null;
    },
    all: async function* (pk, options) {
      for await (const page of pages(pk, options)) yield* page.items;
    },
    count: async (pk, options) => {
      let total = 0;
      for await (const page of pages(pk, options)) total += page.items.length;
      return total;
    },
    due: async (duePk, until, limit) => {
      const { Items } = await client.send(
        new QueryCommand({
          TableName,
          IndexName: 'due',
          KeyConditionExpression: 'due_pk = :due AND due_at <= :until',
          ExpressionAttributeValues: { ':due': duePk, ':until': until },
          Limit: limit,
        }),
      );
      return (Items ?? []).map((item) => ({ pk: item['pk'] as string, sk: item['sk'] as string }));
    },
  };
};
