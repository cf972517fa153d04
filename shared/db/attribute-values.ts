import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item, Key } from './contracts.ts';

/** Attributes as DynamoDB's protocol writes them. */
type Attributes = Record<string, AttributeValue>;

/** Writes values as attributes; those that are undefined are left out. */
export const toAttributes = (values: Readonly<Record<string, unknown>>): Attributes =>
  marshall(values, { removeUndefinedValues: true });

/** Writes the key of an item, also where it is handed over with the item. */
export const toKey = ({ pk, sk }: Key): Attributes => ({ pk: { S: pk }, sk: { S: sk } });

/** Reads an item. */
export const toItem = (attributes: Attributes): Item => unmarshall(attributes) as Item;

/** What of a request holds values. */
interface WithValues {
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
  readonly ExclusiveStartKey?: Readonly<Record<string, unknown>>;
}

/** Writes the values of a request as attributes. */
export const withAttributes = <Input extends WithValues>({
  ExpressionAttributeValues: values,
  ExclusiveStartKey: start,
  ...rest
}: Input) => ({
  ...rest,
  ...(values === undefined ? {} : { ExpressionAttributeValues: toAttributes(values) }),
  ...(start === undefined ? {} : { ExclusiveStartKey: toAttributes(start) }),
});
