import * as z from 'zod';
import type { Authorize } from '../endpoint/aws-request.ts';

/** The partition key of an item, as every table here names it. */
const Partition = z.looseObject({ pk: z.looseObject({ S: z.string() }) });

const Access = z.looseObject({
  TableName: z.string().optional(),
  IndexName: z.string().optional(),
  Key: Partition.optional().catch(undefined),
  Item: Partition.optional().catch(undefined),
});

type Access = z.output<typeof Access>;

const Request = Access.extend({
  RequestItems: z.record(z.string(), z.unknown()).optional(),
  TransactItems: z.array(z.record(z.string(), Access)).optional(),
});

/** Reads the tables of a request. A malformed request has none, and the tables refuse it if the caller may do everything. */
const readRequest = (body: Buffer): z.output<typeof Request> => {
  try {
    return Request.parse(JSON.parse(body.toString()));
  } catch {
    return {};
  }
};

/** Actions of a transaction that have another name outside of it. */
const transactActions: Readonly<Record<string, string>> = { ConditionCheck: 'ConditionCheckItem' };

/** Returns the actions of a request, each with what it accesses. A transaction needs the permission of each of its actions. */
const accessesOf = (operation: string, request: z.output<typeof Request>): readonly (readonly [string, Access])[] => {
  const { RequestItems: tables, TransactItems: actions } = request;
  if (actions !== undefined)
    return actions.flatMap((action) =>
      Object.entries(action).map(([name, access]) => [transactActions[name] ?? `${name}Item`, access] as const),
    );
  return tables === undefined
    ? [[operation, request]]
    : Object.keys(tables).map((TableName) => [operation, { TableName }] as const);
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
  const operation = request.target.split('.').at(-1) ?? '';
  const accesses = accessesOf(operation, readRequest(request.body));
  if (accesses.length === 0) authorize(`dynamodb:${operation}`, '*');
  for (const [name, { TableName: table, IndexName, Key, Item }] of accesses) {
    const action = `dynamodb:${name}`;
    const leadingKey = (Key ?? Item)?.pk.S;
    const context = leadingKey === undefined ? {} : { 'dynamodb:LeadingKeys': leadingKey };
    if (table === undefined) {
      authorize(action, '*');
      continue;
    }
    const arn = table.startsWith('arn:')
      ? table
      : `arn:aws:dynamodb:${request.region}:${request.accountId}:table/${table}`;
    authorize(action, IndexName === undefined ? arn : `${arn}/index/${IndexName}`, context);
  }
};
