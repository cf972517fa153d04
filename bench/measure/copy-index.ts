import { BatchWriteItemCommand, DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { readLocalHealth, readOperatorKey } from '../../scripts/operator/local-run.ts';
import { newId } from '../../shared/kernel/ids.ts';
import { tableName, type TableName } from '../../shared/kernel/names.ts';
import type { Service } from '../peers/service.ts';

/** Maximum items of one request. Source: DynamoDB, BatchWriteItem. */
const perRequest = 25;

/**
 * Stores the items of an index again under many other ids, with names of their own. Lists and usage read such copies like
 * other indexes; they have no rows.
 */
export const copyIndex = async (service: Service, indexId: string, copies: number): Promise<void> => {
  const { aws } = await readLocalHealth(service.baseUrl);
  const client = new DynamoDBClient({
    region: aws.home_region,
    endpoint: aws.endpoint_url,
    credentials: readOperatorKey(aws.credentials_file),
  });
  const { organizationId } = service;
  const now = new Date();
  const ids = Array.from({ length: copies }, () => newId('idx', now));
  const copy = async (table: TableName, pk: string): Promise<void> => {
    const TableName = tableName(aws.deployment, table);
    const { Item } = await client.send(new GetItemCommand({ TableName, Key: { pk: { S: pk }, sk: { S: indexId } } }));
    if (Item === undefined) throw new Error(`${pk} has no item of ${indexId}`);
    // Leased room for rows counts against the plan.
    delete Item['room'];
    for (let from = 0; from < copies; from += perRequest) {
      const puts = ids.slice(from, from + perRequest).map((id, at) => ({
        PutRequest: { Item: { ...Item, sk: { S: id }, ...(Item['name'] && { name: { S: `copy ${from + at}` } }) } },
      }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: puts } }));
    }
  };
  await copy('indexes', `ORG#${organizationId}`);
  await copy('usage', `STORED#${organizationId}`);
  await copy('usage', `MONTH#${organizationId}#${now.toISOString().slice(0, 'YYYY-MM'.length)}`);
  await client.send(
    new UpdateItemCommand({
      TableName: tableName(aws.deployment, 'indexes'),
      Key: { pk: { S: `LIMITS#${organizationId}` }, sk: { S: 'indexes' } },
      UpdateExpression: 'ADD bound :copies, revision :copies',
      ExpressionAttributeValues: { ':copies': { N: String(copies) } },
    }),
  );
  client.destroy();
};
