import * as z from 'zod';
import { ParsedObject } from '../kernel/json-schema.ts';
import { mostItems } from '../kernel/bounds.ts';
import { besideOthers } from '../http/beside-others.ts';
import { RowMetadata } from '../http/metadata.ts';
import { exampleId } from '../http/examples.ts';
import { optional } from '../http/optional.ts';
import { FilterSchema } from '../platform/engine/filter.ts';
import { VectorInput } from './vector-input.ts';

const Patch = RowMetadata.meta({
  description: 'Merged into the metadata as RFC 7396 says: what is named replaces, null removes, all else stays.',
});

const VectorId = z.string().min(1).max(512);
const maxTextLength = 32_768;

/** Longest version that is compared; those that rows have are shorter. */
const longestVersion = 200;

const IfVersion = z.string().max(longestVersion).nullable().meta({
  description: 'The version that the row must have, as fetching it told; null: there must be no row with this id.',
});

const UpsertItem = z
  .object({
    id: VectorId,
    vector: optional(VectorInput),
    text: z.string().max(maxTextLength).nullable().optional(),
    metadata: optional(RowMetadata).meta({
      description:
        'At most 40 KiB as JSON. Numbers are 64-bit floats: whole numbers beyond 2^53 lose digits, so longer ids belong in strings. No filter can name a key that begins with `$`.',
    }),
    if_version: IfVersion.optional(),
  })
  .refine(({ vector, text }) => vector !== undefined || (text != null && text !== ''), {
    error: 'an item needs a vector or a text',
    when: besideOthers,
  });

/** The items of one upsert. */
export const UpsertBody = z
  .array(UpsertItem)
  .min(1)
  .max(mostItems)
  .meta({
    id: 'VectorUpsert',
    examples: [
      [
        { id: 'tea', text: 'Green tea is brewed at eighty degrees.', metadata: { topic: 'tea' } },
        { id: 'rail', vector: [0.12, -0.04, 0.98, 0.15], metadata: { topic: 'rail', year: 2024 } },
      ],
    ],
  });

export const UpsertResponse = z
  .object({ upserted: z.number().int(), version: z.string() })
  .meta({ id: 'VectorUpsertResponse', examples: [{ upserted: 2, version: exampleId('rcp') }] });

/** The rows of one update. */
export const UpdateBody = z
  .array(z.strictObject({ id: VectorId, metadata: Patch, if_version: IfVersion.optional() }))
  .min(1)
  .max(mostItems)
  .meta({
    id: 'VectorUpdate',
    examples: [[{ id: 'tea', metadata: { topic: 'green tea', draft: null } }]],
  });

export const UpdateResponse = z
  .object({ updated: z.number().int(), missing: z.array(z.string()), version: z.string() })
  .meta({ id: 'VectorUpdateResponse', examples: [{ updated: 1, missing: [], version: exampleId('rcp') }] });

export const FetchBody = z
  .strictObject({ ids: z.array(VectorId).min(1).max(mostItems), include_vectors: z.boolean().default(true) })
  .meta({ id: 'VectorFetch', examples: [{ ids: ['tea', 'rail'], include_vectors: false }] });

export const DeleteBody = z
  .strictObject({ ids: optional(z.array(VectorId).min(1).max(mostItems)), filter: optional(FilterSchema) })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    error: 'give either ids or filter',
    when: besideOthers,
  })
  .meta({
    id: 'VectorDelete',
    description: 'Either `ids` or `filter`, which needs a condition: one that every row matches is refused.',
    examples: [{ ids: ['tea'] }],
  });

export const DeleteResponse = z
  .object({ deleted: z.number().int() })
  .meta({ id: 'VectorDeleteResponse', examples: [{ deleted: 1 }] });

const SourceFile = z
  .object({
    job_id: z.string(),
    filename: z.string().nullable(),
    page_start: z.number().int().nullable(),
    page_end: z.number().int().nullable(),
  })
  .nullable();

export const VectorRecord = z
  .object({
    id: z.string(),
    vector: z.array(z.number()).optional(),
    text: z.string().nullable(),
    metadata: ParsedObject,
    file: SourceFile,
    /** Of the write that made the row what it is; the same again only where nothing has changed. */
    version: z.string(),
  })
  .meta({
    id: 'VectorRecord',
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

export const FetchResponse = z.object({ vectors: z.array(VectorRecord) }).meta({ id: 'VectorFetchResponse' });

/** Where a stored row came from, for answers. */
export { SourceFile };
