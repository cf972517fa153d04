import DataLoader from 'dataloader';
import type { DynamoClient } from '../platform/aws/dynamo-client.ts';
import { toItem, toKey } from './attribute-values.ts';
import type { Item, Key } from './contracts.ts';

/** Address of one item among all tables. */
interface Address extends Key {
  readonly TableName: string;
}

/** Items that one request may ask for. Source: DynamoDB, BatchGetItem. */
const mostTogether = 100;

const nameOf = ({ TableName, pk, sk }: Address): string => JSON.stringify([TableName, pk, sk]);

const getOne = async (client: DynamoClient, { TableName, pk, sk }: Address): Promise<Item | null> => {
  const Key = toKey({ pk, sk });
  const { Item } = await client.call('GetItem', { TableName, Key, ConsistentRead: true });
  return Item === undefined ? null : toItem(Item);
};

/** One request for several different items; those that it leaves out are asked for one by one. */
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

/** Reads items by their address; strongly consistent; null for one that is not there. */
export type GetItem = (address: Address) => Promise<Item | null>;

/** Gets of one tick travel in one request, whatever their tables. Throws the SDK's errors. */
export const getTogether = (client: DynamoClient): GetItem => {
  const loader = new DataLoader<Address, Item | null>(
    async (addresses) => {
      const [only] = addresses;
      if (only !== undefined && addresses.length === 1) return [await getOne(client, only)];
      // A batch may not name an item twice.
      const items = await getBatch(client, new Map(addresses.map((address) => [nameOf(address), address])));
      return addresses.map((address) => items.get(nameOf(address)) ?? null);
    },
    { cache: false, maxBatchSize: mostTogether },
  );
  return (address) => loader.load(address);
};
