import * as z from 'zod';
import type { Authorize } from '../endpoint/aws-request.ts';

/** The partition key of an item, as every table here names it. */
const Partition = z.looseObject({ pk: z.looseObject({ S: z.string() }) });

const Request = z.looseObject({
  TableName: z.string().optional(),
  IndexName: z.string().optional(),
  RequestItems: z.record(z.string(), z.unknown()).optional(),
  Key: Partition.optional().catch(undefined),
  Item: Partition.optional().catch(undefined),
});

/** Reads the tables of a request. A malformed request has none, and the tables refuse it if the caller may do everything. */
const readRequest = (body: Buffer): z.output<typeof Request> => {
  try {
    return Request.parse(JSON.parse(body.toString()));
  } catch {
    return {};
  }
};

/**
 * Checks that the caller has the permissions of a request in DynamoDB's JSON protocol, on each of its tables and indexes.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html
 * @throws AccessDenied
 */
export const authorizeTableRequest = (
  authorize: Authorize,
  request: {
    /** `DynamoDB_20120810.Operation`. */
    readonly target: string;
    readonly region: string;
    readonly accountId: string;
    readonly body: Buffer;
  },
): void => {
  const action = `dynamodb:${request.target.split('.').at(-1)}`;
  const { TableName, IndexName, RequestItems, Key, Item } = readRequest(request.body);
  const tables =
    RequestItems === undefined ? [TableName].filter((name) => name !== undefined) : Object.keys(RequestItems);
  const leadingKey = (Key ?? Item)?.pk.S;
  const context = leadingKey === undefined ? {} : { 'dynamodb:LeadingKeys': leadingKey };
  if (tables.length === 0) authorize(action, '*');
  for (const table of tables) {
    const arn = table.startsWith('arn:')
      ? table
      : `arn:aws:dynamodb:${request.region}:${request.accountId}:table/${table}`;
    authorize(action, IndexName === undefined ? arn : `${arn}/index/${IndexName}`, context);
  }
};
