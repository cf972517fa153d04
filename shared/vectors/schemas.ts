import * as z from 'zod';
import { Citation } from '../files/index.ts';
import { ParsedObject } from '../kernel/json-schema.ts';
import { maxItems } from '../kernel/bounds.ts';
import { changedExpiry, expiryFields } from '../http/expiry.ts';
import { optional, whenObject } from '../http/schema-helpers.ts';
import { RowMetadata } from '../http/metadata.ts';
import { exampleId } from '../http/examples.ts';
import { AsOf } from '../reader/index.ts';
import { FilterSchema } from '#engine';
import { VectorInput } from './vector-input.ts';

const Patch = RowMetadata.meta({
  description:
    'JSON merge patch (RFC 7396) of the metadata: given keys replace, null removes a key, all other keys stay.',
});

const VectorId = z.string().min(1).max(512);
const maxTextLength = 32_768;

/** Maximum length of a version in a request. Versions of rows are shorter. */
const longestVersion = 200;

const IfVersion = z.string().max(longestVersion).nullable().meta({
  description: 'Expected version of the row, from a fetch. Null: there must be no row with this id.',
});

const UpsertItem = z
  .strictObject({
    id: VectorId.describe('Id of the vector, chosen by the caller. A vector with the same id is replaced.'),
    vector: optional(VectorInput),
    text: z
      .string()
      .max(maxTextLength)
      .nullable()
      .optional()
      .describe('Text of the row. Without `vector` it is embedded; sparse search finds its words.'),
    metadata: optional(RowMetadata).meta({
      description:
        'At most 40 KiB as JSON. Numbers are 64-bit floats: digits alone beyond ±(2^53 - 1) are a 422, because they would be rounded. Write such ids as strings. No filter can name a key that begins with `$`.',
    }),
    if_version: IfVersion.optional(),
    ...expiryFields,
  })
  .refine(({ vector, text }) => vector !== undefined || (text != null && text !== ''), {
    error: 'an item needs a vector or a text',
    when: whenObject,
  })
  .meta({ id: 'VectorUpsertItem', description: 'One row to write: a vector, a text, or both.' });

/** Items of an upsert. */
export const UpsertBody = z
  .array(UpsertItem)
  .min(1)
  .max(maxItems)
  .meta({
    id: 'VectorUpsert',
    description: 'The rows to write.',
    examples: [
      [
        { id: 'tea', text: 'Green tea is brewed at eighty degrees.', metadata: { topic: 'tea' } },
        { id: 'rail', vector: [0.12, -0.04, 0.98, 0.15], metadata: { topic: 'rail', year: 2024 } },
      ],
    ],
  });

const WriteVersion = z.string().describe('Version that the written rows have.');

export const UpsertResponse = z
  .object({
    upserted: z.number().int().describe('Rows that were written.'),
    version: WriteVersion,
  })
  .meta({
    id: 'VectorUpsertResponse',
    description: 'Result of an upsert.',
    examples: [{ upserted: 2, version: exampleId('rcp') }],
  });

/** Patches of an update. */
export const UpdateBody = z
  .array(
    z
      .strictObject({
        id: VectorId.describe('Id of the row.'),
        metadata: Patch,
        if_version: IfVersion.optional(),
        ...changedExpiry,
      })
      .meta({ id: 'VectorUpdateItem', description: 'Changes to the metadata of one row.' }),
  )
  .min(1)
  .max(maxItems)
  .meta({
    id: 'VectorUpdate',
    description: 'Changes to the metadata of rows.',
    examples: [[{ id: 'tea', metadata: { topic: 'green tea', draft: null } }]],
  });

export const UpdateResponse = z
  .object({
    updated: z.number().int().describe('Rows that were updated.'),
    missing: z.array(z.string()).describe('Ids for which there is no row.'),
    version: WriteVersion,
  })
  .meta({
    id: 'VectorUpdateResponse',
    description: 'Result of an update.',
    examples: [{ updated: 1, missing: [], version: exampleId('rcp') }],
  });

export const FetchBody = z
  .strictObject({
    ids: z
      .array(VectorId)
      .min(1)
      .max(maxItems)
      .describe('Ids of the rows. Those without a row are left out of the response.'),
    filter: optional(FilterSchema).describe('Leaves out rows that do not match.'),
    as_of: optional(AsOf),
    include_vectors: z.boolean().default(true).describe('Whether the response has the numbers of the vectors.'),
  })
  .meta({
    id: 'VectorFetch',
    description: 'Which rows to fetch.',
    examples: [{ ids: ['tea', 'rail'], include_vectors: false }],
  });

export const DeleteBody = z
  .strictObject({
    ids: optional(z.array(VectorId).min(1).max(maxItems)).describe('Ids of the rows to delete.'),
    filter: optional(FilterSchema).describe('Deletes every row that matches.'),
    all: optional(z.literal(true)).describe('Deletes every row.'),
  })
  .refine(({ ids, filter, all }) => [ids, filter, all].filter((one) => one !== undefined).length === 1, {
    error: 'give either ids, filter or all',
    when: whenObject,
  })
  .meta({
    id: 'VectorDelete',
    description: 'Either `ids`, `filter` or `all`. A filter needs a condition: one that every row matches is refused.',
    examples: [{ ids: ['tea'] }],
  });

export const DeleteResponse = z
  .object({ deleted: z.number().int().describe('Rows that were deleted.') })
  .meta({ id: 'VectorDeleteResponse', description: 'Result of a deletion.', examples: [{ deleted: 1 }] });

export const UpdateWhereBody = z
  .strictObject({
    filter: FilterSchema.describe('Updates every row that matches.'),
    metadata: Patch,
    ...changedExpiry,
  })
  .meta({
    id: 'VectorUpdateByFilter',
    description: 'One change to the metadata of all rows that match. The filter needs a condition.',
    examples: [{ filter: { topic: 'tea' }, metadata: { reviewed: true, draft: null } }],
  });

export const UpdateWhereResponse = z
  .object({ updated: z.number().int().describe('Rows that were updated.'), version: WriteVersion })
  .meta({
    id: 'VectorUpdateByFilterResponse',
    description: 'Result of an update by filter.',
    examples: [{ updated: 2, version: exampleId('rcp') }],
  });

const SourceFile = z
  .object({
    job_id: z.string().describe('Id of the file job.'),
    filename: z.string().nullable().describe('Name of the file; null if it is not known.'),
    page_start: z
      .number()
      .int()
      .nullable()
      .describe('First page of the file that the row comes from; null if the file has no pages.'),
    page_end: z
      .number()
      .int()
      .nullable()
      .describe('Last page of the file that the row comes from; null if the file has no pages.'),
  })
  .meta({ id: 'SourceFile', description: 'The file, and the pages in it, that a row comes from.' })
  .nullable();

/** The numbers of a stored vector. */
const VectorValues = z
  .array(z.number())
  .meta({ jsonSchema: { type: 'array', items: { type: 'number', format: 'float' } } });

export const VectorRecord = z
  .object({
    id: z.string().describe('Id of the row.'),
    vector: VectorValues.optional().describe('The numbers of the vector, if they were asked for.'),
    text: z.string().nullable().describe('Text of the row; null if it has none.'),
    metadata: ParsedObject.describe('Metadata of the row.'),
    file: SourceFile.describe('The file that the row comes from; null if no file wrote it.'),
    version: z
      .string()
      .describe('Version of the row, for `if_version`. It changes with every write that changes the row.'),
    expires_at: z.iso.datetime().optional().describe('Time from which no read returns the row, if it expires.'),
    citation: Citation.optional().describe('Place of the text in its file, if a list of chunks was asked for it.'),
  })
  .meta({
    id: 'VectorRecord',
    description: 'One row of an index.',
    examples: [
      {
        id: 'tea',
        text: 'Green tea is brewed at eighty degrees.',
        metadata: { topic: 'tea' },
        file: { job_id: exampleId('job'), filename: 'handbook.pdf', page_start: 7, page_end: 7 },
        version: exampleId('rcp'),
      },
    ],
  });

export const FetchResponse = z
  .object({ vectors: z.array(VectorRecord).describe('The rows that were found.') })
  .meta({ id: 'VectorFetchResponse', description: 'The rows that were found.' });

/** Schemas of the source file of a row and of its vector. */
export { SourceFile, VectorValues };
