import * as z from 'zod';
import { integer } from '../http/integer.ts';

const maxDimensions = 4096;

const IndexName = z.string().min(1).max(255);

export const IndexCreate = z
  .object({
    name: IndexName,
    dimensions: integer().min(1).max(maxDimensions).default(1536),
    distance_metric: z.enum(['cosine', 'euclidean']).default('cosine'),
    cloud_region: z.string().min(1).nullable().optional(),
    non_filterable_metadata_keys: z.array(z.string().min(1).max(255)).max(100).default([]),
  })
  .meta({ id: 'IndexCreate' });

export const IndexBranchCreate = z.object({ name: IndexName }).meta({ id: 'IndexBranchCreate' });

/** Fields of an index that are fixed for its life: naming one in an update is an error, not a no-op. */
export const IndexUpdate = z
  .object({ name: IndexName })
  .loose()
  .superRefine((body, context) => {
    for (const key of [
      'id',
      'dimensions',
      'distance_metric',
      'cloud_region',
      'non_filterable_metadata_keys',
      'parent_index_id',
      'branch_depth',
      'created_at',
    ]) {
      if (key in body)
        context.addIssue({ code: 'custom', path: [key], message: 'this field cannot be changed', input: body[key] });
    }
  })
  .meta({ id: 'IndexUpdate' });

export const IndexResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    dimensions: z.number().int(),
    distance_metric: z.enum(['cosine', 'euclidean']),
    cloud_region: z.string(),
    non_filterable_metadata_keys: z.array(z.string()),
    created_at: z.iso.datetime(),
    parent_index_id: z.string().nullable(),
    branch_depth: z.number().int(),
  })
  .meta({ id: 'IndexResponse' });
