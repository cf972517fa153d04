import type { QueryCommandInput, TransactWriteItemsCommandInput } from '@aws-sdk/client-dynamodb';
import type { Runtime } from '../kernel/capability.ts';
import { type TableName, tableName } from '../kernel/names.ts';
import { memoizePerOwner } from '../kernel/memoize.ts';
import { maxChecks, pauseAfter } from '../kernel/wait-for-others.ts';
import { type DynamoClient, dynamoClient, DynamoError } from '../platform/aws/dynamo-client.ts';
import { toAttributes, toItem, toKey, withAttributes } from './attribute-values.ts';
import { type Condition, Placeholders } from './condition.ts';
import type { Action, Change, Item, Key, Page, QueryOptions, Table } from './contracts.ts';
import { readDueFairly, type ReadDue } from './fair-due-queue.ts';
import { conditionInput, queryInput, updateExpression } from './expressions.ts';
import { type GetItem, batchGet } from './batch-get.ts';
import { type QueryResult, readPage } from './read-page.ts';

interface Connection {
  readonly client: DynamoClient;
  readonly getItem: GetItem;
  readonly TableName: string;
}

const fits = (text: string, maxBytes: number): boolean => text !== '' && Buffer.byteLength(text) <= maxBytes;

/** Whether DynamoDB allows a key. No item has any other key. Source: DynamoDB, "Quotas". */
const isKey = ({ pk, sk }: { readonly pk: string; readonly sk: string }): boolean => fits(pk, 2048) && fits(sk, 1024);

/** Returns the response to a write; null if its condition did not hold. */
const nullIfConditionFailed = async <Result>(request: Promise<Result>): Promise<Result | null> => {
  try {
    return await request;
  } catch (error) {
    if (error instanceof DynamoError && error.name === 'ConditionalCheckFailedException') return null;
    throw error;
  }
};

const putInput = (TableName: string, item: Item, condition: Condition | undefined) => ({
  TableName,
  Item: toAttributes(item),
  ...withAttributes(conditionInput(new Placeholders(), condition)),
});

const updateInput = (TableName: string, key: Key, change: Change) => {
  const into = new Placeholders();
  const UpdateExpression = updateExpression(change, into);
  return {
    TableName,
    Key: toKey(key),
    ...(UpdateExpression === '' ? {} : { UpdateExpression }),
    ...withAttributes(conditionInput(into, change.condition)),
  };
};

const deleteInput = (TableName: string, key: Key, condition: Condition | undefined) => ({
  TableName,
  Key: toKey(key),
  ...withAttributes(conditionInput(new Placeholders(), condition)),
});

const actionInput = (TableName: string, action: Action) => {
  if ('put' in action) return { Put: putInput(TableName, action.put, action.condition) };
  if ('delete' in action) return { Delete: deleteInput(TableName, action.delete, action.condition) };
  const { UpdateExpression = '', ...input } = updateInput(TableName, action.update, action.change);
  return { Update: { UpdateExpression, ...input } };
};

/** Sends a transaction again while other writes of its items prevent it. Returns positions of conditions that failed. */
const runTransaction = async (client: DynamoClient, request: TransactWriteItemsCommandInput) => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await client.call('TransactWriteItems', request);
      return [];
    } catch (error) {
      const reasons = error instanceof DynamoError ? error.cancellationReasons : [];
      const failed = reasons.flatMap((reason, at) => (reason === 'ConditionalCheckFailed' ? [at] : []));
      if (failed.length > 0) return failed;
      if (!reasons.includes('TransactionConflict') || attempt === maxChecks) throw error;
    }
    await pauseAfter(attempt);
  }
};

const writesOf = ({ client, TableName }: Connection): Pick<Table, 'put' | 'update' | 'delete' | 'transact'> => ({
  put: async (item, condition) => {
    const request = putInput(TableName, item, condition);
    return (await nullIfConditionFailed(client.call('PutItem', request))) !== null;
  },
  update: async (key, change) => {
    if (!isKey(key)) return null;
    const request = { ...updateInput(TableName, key, change), ReturnValues: 'ALL_NEW' as const };
    const { Attributes: attributes } = (await nullIfConditionFailed(client.call('UpdateItem', request))) ?? {};
    return attributes === undefined ? null : toItem(attributes);
  },
  delete: async (key, condition) => {
    if (!isKey(key)) return false;
    const request = deleteInput(TableName, key, condition);
    return (await nullIfConditionFailed(client.call('DeleteItem', request))) !== null;
  },
  transact: (actions) =>
    runTransaction(client, { TransactItems: actions.map((action) => actionInput(TableName, action)) }),
});

/** Returns a function that reads a range of the index `due`. */
const dueReaderOf =
  ({ client, TableName }: Connection): ReadDue =>
  async ({ partition, from, to, after }, limit) => {
    const { Items, LastEvaluatedKey } = await client.call('Query', {
      TableName,
      IndexName: 'due',
      KeyConditionExpression: 'due_pk = :due AND due_at BETWEEN :from AND :to',
      ExpressionAttributeValues: toAttributes({ ':due': partition, ':from': from, ':to': to }),
      Limit: limit,
      ...(after === undefined ? {} : { ExclusiveStartKey: toAttributes({ ...after, due_pk: partition }) }),
    });
    const entries = (Items ?? []).map((entry) => {
      const { pk, sk, due_at } = toItem(entry);
      return { pk, sk, due_at: due_at as string };
    });
    return { entries, isMore: LastEvaluatedKey !== undefined };
  };

/** Returns a function that sends one request of a query. */
const queryReader =
  ({ client, TableName }: Connection, pk: string) =>
  async (options: QueryOptions): Promise<QueryResult> => {
    const request = { TableName, ...withAttributes(queryInput(pk, options)) };
    const { Items, ScannedCount, LastEvaluatedKey } = await client.call('Query', request);
    return {
      items: (Items ?? []).map(toItem),
      next: LastEvaluatedKey?.['sk']?.S ?? null,
      scanned: ScannedCount ?? 0,
    };
  };

const readsOf = (connection: Connection): Pick<Table, 'get' | 'query' | 'due'> => {
  const { getItem, TableName } = connection;
  const readDue = dueReaderOf(connection);
  return {
    get: async ({ pk, sk }) => (isKey({ pk, sk }) ? getItem({ TableName, pk, sk }) : null),
    query: async (pk, options = {}) => {
      const read = queryReader(connection, pk);
      return options.limit === undefined ? read(options) : readPage(read, options, options.limit);
    },
    due: (partition, until, limit) => readDueFairly(readDue, partition, { until, limit }),
  };
};

/** Returns all responses to a query, one after the other. */
const pagesOf = async function* (client: DynamoClient, input: QueryCommandInput) {
  let from: Pick<QueryCommandInput, 'ExclusiveStartKey'> = {};
  do {
    const page = await client.call('Query', { ...input, ...from });
    yield page;
    from = { ExclusiveStartKey: page.LastEvaluatedKey };
  } while (from.ExclusiveStartKey !== undefined);
};

const countItems = async (
  { client, TableName }: Connection,
  pk: string,
  options: QueryOptions = {},
): Promise<number> => {
  let total = 0;
  const input = { TableName, ...withAttributes(queryInput(pk, options)), Select: 'COUNT' as const };
  for await (const { Count } of pagesOf(client, input)) total += Count ?? 0;
  return total;
};

const allItems = async function* (query: Table['query'], pk: string, options: QueryOptions = {}): AsyncIterable<Item> {
  let after = options.after ?? null;
  do {
    const page: Page = await query(pk, { ...options, after });
    yield* page.items;
    after = page.next;
  } while (after !== null);
};

/** Creates one client for all tables, so that gets of several tables can share a batch. */
const connect = memoizePerOwner(({ config }: Runtime) => {
  const client = dynamoClient(config.homeRegion);
  return { client, getItem: batchGet(client) };
});

/** Opens a table of the home region, without a request. Its calls throw errors of the SDK. */
export const openTable = (runtime: Runtime, table: TableName): Table => {
  const connection = { ...connect(runtime), TableName: tableName(runtime.config.deployment, table) };
  const reads = readsOf(connection);
  return {
    ...reads,
    ...writesOf(connection),
    all: (pk, options) => allItems(reads.query, pk, options),
    count: (pk, options) => countItems(connection, pk, options),
  };
};
