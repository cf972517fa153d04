import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { toAttributes } from '../../shared/db/attribute-values.ts';
import type { Item } from '../../shared/db/contracts.ts';
import { type TableName, tableName } from '../../shared/kernel/names.ts';

const perRequest = 25;

/** Stores many items in a table of the emulated cloud, 25 a request. */
export const putMany = async (table: TableName, items: readonly Item[]): Promise<void> => {
  const client = new DynamoDBClient({ region: 'us-east-1' });
  for (let from = 0; from < items.length; from += perRequest) {
    const puts = items.slice(from, from + perRequest).map((item) => ({ PutRequest: { Item: toAttributes(item) } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName('test', table)]: puts } }));
  }
  client.destroy();
};
