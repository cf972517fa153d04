import type { TableDefinition } from './table-definition.ts';
import type { CallTables } from './call-tables.ts';

interface ScanPage {
  readonly Items: readonly Readonly<Record<string, unknown>>[];
  readonly LastEvaluatedKey?: object;
}

const isRenewed = (error: unknown): boolean =>
  error instanceof Error && error.name.endsWith('ConditionalCheckFailedException');

/**
 * Deletes the expired items of one table and returns their number. An item that is renewed meanwhile stays.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/howitworks-ttl.html
 */
export const expireItems = async (call: CallTables, table: TableDefinition, now: Date): Promise<number> => {
  if (table.expiryAttribute === null) {
    return 0;
  }
  const expired = {
    TableName: table.name,
    ExpressionAttributeNames: { '#expiry': table.expiryAttribute },
    ExpressionAttributeValues: { ':now': { N: String(Math.floor(now.getTime() / 1000)) } },
  };
  const keyNames = table.key.map(({ AttributeName }) => AttributeName);
  let deleted = 0;
  let from: object | undefined;
  do {
    const page = (await call(table.region, 'Scan', {
      ...expired,
      FilterExpression: '#expiry <= :now',
      ...(from === undefined ? {} : { ExclusiveStartKey: from }),
    })) as ScanPage;
    for (const item of page.Items) {
      const Key = Object.fromEntries(keyNames.map((name) => [name, item[name]]));
      await call(table.region, 'DeleteItem', { ...expired, Key, ConditionExpression: '#expiry <= :now' }).then(
        () => (deleted += 1),
        (error: unknown) => {
          if (!isRenewed(error)) {
            throw error;
          }
        },
      );
    }
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return deleted;
};
