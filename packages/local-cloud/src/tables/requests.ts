import * as z from 'zod';
import { invalid } from './tables-error.ts';

/*
 * Requests of DynamoDB's JSON protocol. A parameter that is not here is refused, so that no function relies on one that has
 * no effect on one machine.
 */

const attributes = z.record(z.string(), z.unknown());
const placeholders = {
  ExpressionAttributeNames: z.record(z.string(), z.string()).optional(),
  ExpressionAttributeValues: attributes.optional(),
};
const names = { ExpressionAttributeNames: placeholders.ExpressionAttributeNames };

const conditional = {
  TableName: z.string(),
  ConditionExpression: z.string().optional(),
  ...placeholders,
  ReturnValuesOnConditionCheckFailure: z.enum(['NONE', 'ALL_OLD']).optional(),
};

const put = { ...conditional, Item: attributes };
const remove = { ...conditional, Key: attributes };
const update = { ...remove, UpdateExpression: z.string().optional() };

const oldValues = z.enum(['NONE', 'ALL_OLD']).optional();

const read = {
  TableName: z.string(),
  IndexName: z.string().optional(),
  FilterExpression: z.string().optional(),
  ProjectionExpression: z.string().optional(),
  ...placeholders,
  ConsistentRead: z.boolean().optional(),
  Limit: z.int().min(1).optional(),
  ExclusiveStartKey: attributes.optional(),
  Select: z.enum(['ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES', 'SPECIFIC_ATTRIBUTES', 'COUNT']).optional(),
};

const projected = { ConsistentRead: z.boolean().optional(), ProjectionExpression: z.string().optional(), ...names };

const requests = {
  GetItem: z.strictObject({ TableName: z.string(), Key: attributes, ...projected }),
  PutItem: z.strictObject({ ...put, ReturnValues: oldValues }),
  DeleteItem: z.strictObject({ ...remove, ReturnValues: oldValues }),
  UpdateItem: z.strictObject({
    ...update,
    ReturnValues: z.enum(['NONE', 'ALL_OLD', 'UPDATED_OLD', 'ALL_NEW', 'UPDATED_NEW']).optional(),
  }),
  Query: z.strictObject({
    ...read,
    KeyConditionExpression: z.string(),
    ScanIndexForward: z.boolean().optional(),
  }),
  Scan: z.strictObject(read),
  BatchGetItem: z.strictObject({
    RequestItems: z.record(z.string(), z.strictObject({ Keys: z.array(attributes).min(1), ...projected })),
  }),
  BatchWriteItem: z.strictObject({
    RequestItems: z.record(
      z.string(),
      z.array(
        z.strictObject({
          PutRequest: z.strictObject({ Item: attributes }).optional(),
          DeleteRequest: z.strictObject({ Key: attributes }).optional(),
        }),
      ),
    ),
  }),
  TransactWriteItems: z.strictObject({
    TransactItems: z
      .array(
        z.strictObject({
          Put: z.strictObject(put).optional(),
          Update: z.strictObject(update).optional(),
          Delete: z.strictObject(remove).optional(),
          ConditionCheck: z.strictObject(remove).optional(),
        }),
      )
      .min(1)
      .max(100),
    ClientRequestToken: z.string().min(1).max(36).optional(),
  }),
} as const;

export type OperationName = keyof typeof requests;

/** Request of an operation. */
export type RequestOf<Name extends OperationName> = z.output<(typeof requests)[Name]>;

export const isOperation = (name: string): name is OperationName => Object.hasOwn(requests, name);

/** Parses a request. Throws DynamoDB's error for an invalid one. */
export const parseRequest = <Name extends OperationName>(name: Name, body: string): RequestOf<Name> => {
  const parsed = requests[name].safeParse(parseJson(body));
  // The schema belongs to the operation.
  if (parsed.success) return parsed.data as RequestOf<Name>;
  const [issue] = parsed.error.issues;
  throw invalid(`1 validation error detected: ${issue?.path.join('.')}: ${issue?.message}`);
};

const parseJson = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
};
