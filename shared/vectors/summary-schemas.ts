import * as z from 'zod';
import { AsOf } from '../reader/index.ts';
import { optional } from '../http/schema-helpers.ts';
import { maxDescribedKeys, maxDistinctValues, valueTypes, maxCountedValues, FilterSchema } from '#engine';

const filter = optional(FilterSchema).describe('Only rows that match. Without it, all rows.');

const MetadataKey = z
  .string()
  .min(1)
  .max(4_096)
  .refine((key) => !key.startsWith('$'), { error: 'a key that begins with `$` cannot be filtered by' });

export const CountBody = z
  .strictObject({ filter, as_of: optional(AsOf) })
  .meta({ id: 'VectorCount', description: 'Which rows to count.', examples: [{ filter: { topic: 'tea' } }] });

export const CountResponse = z
  .object({ count: z.number().int().describe('Number of rows.') })
  .meta({ id: 'VectorCountResponse', description: 'Number of rows.', examples: [{ count: 12 }] });

/** Returns the JSON of the last value of a page; null for a text that is no cursor. */
export const readValuesCursor = (cursor: string): string | null => {
  const json = Buffer.from(cursor, 'base64url').toString('utf8');
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? null : json;
  } catch {
    return null;
  }
};

export const ValuesBody = z
  .strictObject({
    key: MetadataKey.describe('Key of the metadata, or a path to a member of objects, such as `author.name`.'),
    filter,
    contains: optional(z.string().min(1).max(1_000)).describe('Only texts that contain this, in upper or lower case.'),
    limit: z.number().int().min(1).max(1_000).default(100).describe('Maximum number of values.'),
    cursor: optional(
      z.string().refine((cursor) => readValuesCursor(cursor) !== null, { error: 'this is not a cursor' }),
    ).describe('`next_cursor` of the previous page.'),
  })
  .meta({ id: 'MetadataValues', description: 'Whose values to list.', examples: [{ key: 'topic', limit: 10 }] });

const ListedValue = z
  .object({
    value: z.unknown().meta({ jsonSchema: { $ref: '#/components/schemas/JsonValue' } }),
    count: z.number().int().describe('Rows that have the value.'),
  })
  .meta({ id: 'MetadataValueCount', description: 'A value and the number of rows that have it.' });

export const ValuesResponse = z
  .object({
    values: z
      .array(ListedValue)
      .describe(
        'Values in order: null, booleans, numbers, times with an offset by instant, other texts by code point, objects. Times of one instant are one value.',
      ),
    distinct: z
      .number()
      .int()
      .nullable()
      .describe(`Number of values of all pages; null if there are more than ${maxCountedValues}.`),
    next_cursor: z.string().nullable().describe('`cursor` of the next page; null if there is none.'),
  })
  .meta({
    id: 'MetadataValuesResponse',
    description: 'One page of the distinct values of a key.',
    examples: [{ values: [{ value: 'tea', count: 12 }], distinct: 1, next_cursor: null }],
  });

export const DescribeBody = z
  .strictObject({
    keys: optional(z.array(MetadataKey).min(1).max(maxDescribedKeys)).describe(
      `Keys or paths to describe. Without them, the keys that rows have: the first ${maxDescribedKeys} in order.`,
    ),
    filter,
  })
  .meta({ id: 'MetadataDescribe', description: 'Which metadata to describe.', examples: [{ keys: ['year'] }] });

const rangeOf = (id: string, value: z.ZodNumber | z.ZodString, description: string) =>
  z
    .object({ min: value.describe('The lowest.'), max: value.describe('The highest.') })
    .meta({ id, description: 'Lowest and highest value.' })
    .nullable()
    .describe(description);

const DescribedKey = z
  .object({
    key: z.string().describe('The key or path.'),
    rows: z.number().int().describe('Rows that have the key.'),
    types: z.array(z.enum(valueTypes)).describe('Types of its values.'),
    distinct: z
      .number()
      .int()
      .nullable()
      .describe(`Number of distinct values; null if there are more than ${maxDistinctValues}.`),
    numbers: rangeOf(
      'MetadataNumberRange',
      z.number(),
      'Lowest and highest number outside of lists; null if there is none.',
    ),
    texts: rangeOf(
      'MetadataTextRange',
      z.string(),
      'First and last text of up to 100 characters, by instant if all are times with an offset, else by code point; null if there is none.',
    ),
  })
  .meta({ id: 'MetadataKeyDescription', description: 'Values of one key.' });

export const DescribeResponse = z
  .object({
    rows: z.number().int().describe('Rows that match the filter.'),
    keys: z.array(DescribedKey).describe('The keys, in the order of the request, or by code point.'),
    more: z.boolean().describe('Whether rows have further keys.'),
  })
  .meta({
    id: 'MetadataDescribeResponse',
    description: 'Types, ranges and numbers of values of metadata keys.',
    examples: [
      {
        rows: 12,
        keys: [
          { key: 'year', rows: 9, types: ['number'], distinct: 4, numbers: { min: 2019, max: 2026 }, texts: null },
        ],
        more: false,
      },
    ],
  });
