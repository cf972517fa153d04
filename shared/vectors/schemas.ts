import * as z from 'zod';
import { FilterSchema } from '../platform/engine/filter.ts';
import { VectorInput } from './vector-input.ts';

const VectorId = z.string().min(1).max(512);
const maxTextLength = 32_768;
const maxMetadataBytes = 40 * 1024;

/** JSON of at most 40 KiB. */
const Metadata = z
  .record(z.string().min(1).max(255), z.json())
  .refine((metadata) => Buffer.byteLength(JSON.stringify(metadata)) <= maxMetadataBytes, {
    error: 'metadata may have at most 40 KiB as JSON',
  });

const UpsertItem = z
  .object({
    id: VectorId,
    vector: VectorInput.optional(),
    text: z.string().max(maxTextLength).nullable().optional(),
    metadata: Metadata.optional(),
  })
  .refine(({ vector, text }) => vector !== undefined || (typeof text === 'string' && text !== ''), {
    error: 'an item needs a vector or a text',
  });

/** The items of one upsert; the plan says how many a request may hold. */
export const UpsertBody = z.array(UpsertItem).min(1).max(1000).meta({ id: 'VectorUpsert' });

export const UpsertResponse = z.object({ upserted: z.number().int() }).meta({ id: 'VectorUpsertResponse' });

export const FetchBody = z
  .object({ ids: z.array(VectorId).min(1).max(1000), include_vectors: z.boolean().default(true) })
  .meta({ id: 'VectorFetch' });

export const DeleteBody = z
  .object({ ids: z.array(VectorId).min(1).max(1000).optional(), filter: FilterSchema.optional() })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), { error: 'give either ids or filter' })
  .meta({ id: 'VectorDelete' });

export const DeleteResponse = z.object({ deleted: z.number().int() }).meta({ id: 'VectorDeleteResponse' });

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
    metadata: z.record(z.string(), z.json()),
    file: SourceFile,
  })
  .meta({ id: 'VectorRecord' });

export const FetchResponse = z.object({ vectors: z.array(VectorRecord) }).meta({ id: 'VectorFetchResponse' });

/** Where a stored row came from, for answers. */
export { SourceFile };
