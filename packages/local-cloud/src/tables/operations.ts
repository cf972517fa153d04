import { createHash } from 'node:crypto';
import { type Item, itemSize } from './attribute-value.ts';
import { Placeholders } from './expression.ts';
import { type ItemStore, keyBytes, type StoredTable, type Write } from './item-store.ts';
import { projectionOf, readPage } from './read-items.ts';
import { type OperationName, parseRequest, type RequestOf } from './requests.ts';
import { type CancellationReason, invalid, reasonOf, tokenMismatch, transactionCancelled } from './tables-error.ts';
import { project } from './update-item.ts';
import { planDelete, planPut, planUpdate, type PlannedWrite, readKey, tableOf, writeOf } from './write-items.ts';

// Source: DynamoDB, BatchGetItem, BatchWriteItem and TransactWriteItems.
const maxBatchKeys = 100;
const maxBatchWrites = 25;
const maxBatchBytes = 16 * 1024 * 1024;
const maxTransactionBytes = 4 * 1024 * 1024;
const tokenLifeMs = 10 * 60_000;

/** Response of an operation, and what it changes. */
export interface Outcome {
  readonly output: object;
  readonly writes: readonly Write[];
  /** Token of a transaction, and what it was used for. */
  readonly token?: { readonly token: string; readonly digest: string };
}

type Operate<Name extends OperationName> = (store: ItemStore, request: RequestOf<Name>, now: Date) => Outcome;

const read = (output: object): Outcome => ({ output, writes: [] });

const attributesOf = (
  write: Write,
  returned: RequestOf<'UpdateItem'>['ReturnValues'],
  { paths }: PlannedWrite,
): object => {
  const item = returned === 'ALL_OLD' || returned === 'UPDATED_OLD' ? write.before : write.after;
  if (returned === undefined || returned === 'NONE' || item === null) return {};
  const isWhole = returned === 'ALL_OLD' || returned === 'ALL_NEW';
  return { Attributes: isWhole ? item : project(item, paths) };
};

const writeOne = (
  store: ItemStore,
  planned: PlannedWrite,
  returned: RequestOf<'UpdateItem'>['ReturnValues'],
): Outcome => {
  const write = writeOf(store, planned);
  return { output: attributesOf(write, returned, planned), writes: [write] };
};

const placeOf = (table: StoredTable, { hash, range }: PlannedWrite['key']): string =>
  [table.definition.name, hash.toString('hex'), range.toString('hex')].join(' ');

const checkDistinct = (places: readonly string[], message: string): void => {
  if (new Set(places).size < places.length) throw invalid(message);
};

const batchGet: Operate<'BatchGetItem'> = (store, { RequestItems }) => {
  const Responses: Record<string, Item[]> = {};
  const UnprocessedKeys: Record<string, object> = {};
  const places: string[] = [];
  let bytes = 0;
  for (const [name, request] of Object.entries(RequestItems)) {
    const table = tableOf(store, name);
    const placeholders = new Placeholders(request.ExpressionAttributeNames);
    const projection = projectionOf(request.ProjectionExpression, placeholders);
    placeholders.checkUse();
    const found: Item[] = [];
    const left: object[] = [];
    for (const raw of request.Keys) {
      const key = keyBytes(readKey(table, raw), table);
      places.push(placeOf(table, key));
      const item = bytes > maxBatchBytes ? null : store.get(table, key);
      bytes += item === null ? 0 : itemSize(item);
      if (bytes > maxBatchBytes) left.push(raw);
      else if (item !== null) found.push(projection(item));
    }
    Responses[name] = found;
    if (left.length > 0) UnprocessedKeys[name] = { ...request, Keys: left };
  }
  if (places.length > maxBatchKeys || places.length === 0)
    throw invalid('Too many items requested for the BatchGetItem call');
  checkDistinct(places, 'Provided list of item keys contains duplicates');
  return read({ Responses, UnprocessedKeys });
};

const batchWrite: Operate<'BatchWriteItem'> = (store, { RequestItems }) => {
  const planned = Object.entries(RequestItems).flatMap(([TableName, requests]) =>
    requests.map(({ PutRequest: put, DeleteRequest: remove }) => {
      if ((put === undefined) === (remove === undefined))
        throw invalid('Supplied AttributeValue has more than one datatypes set');
      return put === undefined
        ? planDelete(store, { TableName, Key: remove?.Key ?? {} })
        : planPut(store, { TableName, Item: put.Item });
    }),
  );
  if (planned.length > maxBatchWrites || planned.length === 0)
    throw invalid('Too many items requested for the BatchWriteItem call');
  const places = planned.map(({ table, key }) => placeOf(table, key));
  checkDistinct(places, 'Provided list of item keys contains duplicates');
  return { output: { UnprocessedItems: {} }, writes: planned.map((one) => writeOf(store, one)) };
};

const planAction = (
  store: ItemStore,
  action: RequestOf<'TransactWriteItems'>['TransactItems'][number],
): PlannedWrite => {
  const { Put, Update, Delete, ConditionCheck } = action;
  if (Object.values(action).filter((one) => one !== undefined).length !== 1)
    throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
  if (Put !== undefined) return planPut(store, Put);
  if (Update !== undefined) return planUpdate(store, Update);
  if (Delete !== undefined) return planDelete(store, Delete);
  if (ConditionCheck?.ConditionExpression === undefined) throw invalid('A check has no ConditionExpression');
  return planDelete(store, ConditionCheck, true);
};

const transact: Operate<'TransactWriteItems'> = (store, { TransactItems, ClientRequestToken: token }, now) => {
  const since = now.getTime() - tokenLifeMs;
  const digest = createHash('sha256').update(JSON.stringify(TransactItems)).digest('hex');
  const used = token === undefined ? null : store.digestOf(token, since);
  if (used !== null && used !== digest) throw tokenMismatch();
  if (used !== null) return read({});
  const planned = TransactItems.map((action) => planAction(store, action));
  const places = planned.map(({ table, key }) => placeOf(table, key));
  checkDistinct(places, 'Transaction request cannot include multiple operations on one item');
  const writes: Write[] = [];
  const reasons = planned.map((one): CancellationReason => {
    try {
      writes.push(writeOf(store, one));
      return { Code: 'None' };
    } catch (error) {
      return reasonOf(error);
    }
  });
  if (reasons.some(({ Code }) => Code !== 'None')) throw transactionCancelled(reasons);
  const bytes = writes.reduce((sum, { before, after }) => sum + itemSize(after ?? before ?? {}), 0);
  if (bytes > maxTransactionBytes) throw invalid('Transaction request cannot exceed 4 MB');
  const changes = writes.filter(({ before, after }) => before !== after);
  return { output: {}, writes: changes, ...(token === undefined ? {} : { token: { token, digest } }) };
};

const operations: { readonly [Name in OperationName]: Operate<Name> } = {
  GetItem: (store, { TableName, Key, ProjectionExpression, ExpressionAttributeNames }) => {
    const table = tableOf(store, TableName);
    const placeholders = new Placeholders(ExpressionAttributeNames);
    const projection = projectionOf(ProjectionExpression, placeholders);
    placeholders.checkUse();
    const item = store.get(table, keyBytes(readKey(table, Key), table));
    return read(item === null ? {} : { Item: projection(item) });
  },
  PutItem: (store, request) => writeOne(store, planPut(store, request), request.ReturnValues),
  DeleteItem: (store, request) => writeOne(store, planDelete(store, request), request.ReturnValues),
  UpdateItem: (store, request) => writeOne(store, planUpdate(store, request), request.ReturnValues),
  Query: (store, request) => read(readPage(store, request)),
  Scan: (store, request) => read(readPage(store, request)),
  BatchGetItem: batchGet,
  BatchWriteItem: batchWrite,
  TransactWriteItems: transact,
};

/** A request that has been parsed. */
export interface PlannedRequest {
  /** Tables that it changes. */
  readonly changes: readonly string[];
  /** Reads items and returns what is to be written. Throws DynamoDB's errors. */
  readonly plan: (store: ItemStore, now: Date) => Outcome;
}

/** Returns the tables that a request changes. */
const changesOf = (name: OperationName, request: unknown): readonly string[] => {
  if (name === 'PutItem' || name === 'UpdateItem' || name === 'DeleteItem')
    return [(request as RequestOf<'PutItem'>).TableName];
  if (name === 'BatchWriteItem') return Object.keys((request as RequestOf<'BatchWriteItem'>).RequestItems);
  if (name !== 'TransactWriteItems') return [];
  const { TransactItems: actions } = request as RequestOf<'TransactWriteItems'>;
  return actions.flatMap((action) => Object.values(action).flatMap((one) => one?.TableName ?? []));
};

/** Parses a request. Throws DynamoDB's error for an invalid one. */
export const planRequest = (name: OperationName, body: string): PlannedRequest => {
  const request = parseRequest(name, body);
  // The request belongs to the operation.
  const operate = operations[name] as Operate<OperationName>;
  return { changes: changesOf(name, request), plan: (store, now) => operate(store, request, now) };
};

/** Writes the outcome of a request. Call it within a transaction of the store. */
export const writeOutcome = (store: ItemStore, { writes, token }: Outcome, now: Date): void => {
  for (const write of writes) store.write(write);
  if (token !== undefined) store.rememberToken(token.token, token.digest, now.getTime(), now.getTime() - tokenLifeMs);
};
