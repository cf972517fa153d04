import { BatchGetCommand, type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import DataLoader from 'dataloader';
import type { Item, Key } from './contracts.ts';

/** Address of one item among all tables. */
interface Address extends Key {
  readonly TableName: string;
}

/** Items that one request may ask for. Source: DynamoDB, BatchGetItem. */
const mostTogether = 100;

const nameOf = ({ TableName, pk, sk }: Address): string => JSON.stringify([TableName, pk, sk]);

const getOne = async (client: DynamoDBDocumentClient, { TableName, pk, sk }: Address): Promise<Item | null> => {
  const { Item } = await client.send(new GetCommand({ TableName, Key: { pk, sk }, ConsistentRead: true }));
  return (Item as Item | undefined) ?? null;
};

/** One request for several different items; those that it leaves out are asked for one by one. */
const getBatch = async (
  client: DynamoDBDocumentClient,
  addresses: ReadonlyMap<string, Address>,
): Promise<ReadonlyMap<string, Item | null>> => {
  const tables = Map.groupBy(addresses.values(), ({ TableName }) => TableName);
  const RequestItems = Object.fromEntries(
    [...tables].map(([TableName, keys]) => [
      TableName,
      { Keys: keys.map(({ pk, sk }) => ({ pk, sk })), ConsistentRead: true },
    ]),
  );
  const { Responses = {}, UnprocessedKeys = {} } = await client.send(new BatchGetCommand({ RequestItems }));
  const items = new Map<string, Item | null>();
  for (const [TableName, found] of Object.entries(Responses)) {
    for (const item of found as Item[]) items.set(nameOf({ ...item, TableName }), item);
  }
  // Cast: the table's own keys come back.
  const left = Object.entries(UnprocessedKeys).flatMap(([TableName, { Keys = [] }]) =>
    (Keys as Key[]).map((key): Address => ({ ...key, TableName })),
  );
  await Promise.all(left.map(async (address) => items.set(nameOf(address), await getOne(client, address))));
  return items;
};

/** Reads items by their address; strongly consistent; null for one that is not there. */
export type GetItem = (address: Address) => Promise<Item | null>;

/** Gets of one tick travel in one request, whatever their tables. Throws the SDK's errors. */
export const getTogether = (client: DynamoDBDocumentClient): GetItem => {
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
