import DataLoader from 'dataloader';
import type { DynamoClient } from '../platform/aws/dynamo-client.ts';
import { toItem, toKey } from './attribute-values.ts';
import type { Item, Key } from './contracts.ts';

/** Table and key of an item. */
interface Address extends Key {
  readonly TableName: string;
}

/** Maximum items of one request. Source: DynamoDB, BatchGetItem. */
const maxBatchGetItems = 100;

const nameOf = ({ TableName, pk, sk }: Address): string => JSON.stringify([TableName, pk, sk]);

const getOne = async (client: DynamoClient, { TableName, pk, sk }: Address): Promise<Item | null> => {
  const Key = toKey({ pk, sk });
  const { Item } = await client.call('GetItem', { TableName, Key, ConsistentRead: true });
  return Item === undefined ? null : toItem(Item);
};

/** Gets several different items in one request. Unprocessed items are then read one by one. */
const getBatch = async (
  client: DynamoClient,
  addresses: ReadonlyMap<string, Address>,
): Promise<ReadonlyMap<string, Item | null>> => {
  const tables = Map.groupBy(addresses.values(), ({ TableName }) => TableName);
  const RequestItems = Object.fromEntries(
    [...tables].map(([TableName, keys]) => [TableName, { Keys: keys.map(toKey), ConsistentRead: true }]),
  );
  const { Responses = {}, UnprocessedKeys = {} } = await client.call('BatchGetItem', { RequestItems });
  const items = new Map<string, Item | null>();
  for (const [TableName, found] of Object.entries(Responses)) {
    for (const item of found.map(toItem)) items.set(nameOf({ ...item, TableName }), item);
  }
  const left = Object.entries(UnprocessedKeys).flatMap(([TableName, { Keys = [] }]) =>
    Keys.map(toItem).map(({ pk, sk }): Address => ({ pk, sk, TableName })),
  );
  await Promise.all(left.map(async (address) => items.set(nameOf(address), await getOne(client, address))));
  return items;
};

/** Reads an item, strongly consistent; null if it does not exist. */
export type GetItem = (address: Address) => Promise<Item | null>;

/** Combines all gets of one tick, from any table, in one BatchGetItem request. Throws errors of the SDK. */
export const batchGet = (client: DynamoClient): GetItem => {
  const loader = new DataLoader<Address, Item | null>(
    async (addresses) => {
      const [only] = addresses;
      if (only !== undefined && addresses.length === 1) return [await getOne(client, only)];
      // A batch must not contain an item twice.
      const items = await getBatch(client, new Map(addresses.map((address) => [nameOf(address), address])));
      return addresses.map((address) => items.get(nameOf(address)) ?? null);
    },
    { cache: false, maxBatchSize: maxBatchGetItems },
  );
  return (address) => loader.load(address);
};
