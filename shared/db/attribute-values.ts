import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item, Key } from './contracts.ts';

/** Attributes in the form of the DynamoDB protocol. */
type Attributes = Record<string, AttributeValue>;

/** Converts values to attributes, without those that are undefined. */
export const toAttributes = (values: Readonly<Record<string, unknown>>): Attributes =>
  marshall(values, { removeUndefinedValues: true });

/** Converts the key of an item. Accepts a whole item. */
export const toKey = ({ pk, sk }: Key): Attributes => ({ pk: { S: pk }, sk: { S: sk } });

/** Converts attributes to an item. */
export const toItem = (attributes: Attributes): Item => unmarshall(attributes) as Item;

/** Parts of a request that contain values. */
interface WithValues {
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
  readonly ExclusiveStartKey?: Readonly<Record<string, unknown>>;
}

/** Converts the values of a request to attributes. */
export const withAttributes = <Input extends WithValues>({
  ExpressionAttributeValues: values,
  ExclusiveStartKey: start,
  ...rest
}: Input) => ({
  ...rest,
  ...(values === undefined ? {} : { ExpressionAttributeValues: toAttributes(values) }),
  ...(start === undefined ? {} : { ExclusiveStartKey: toAttributes(start) }),
});
