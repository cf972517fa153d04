import * as z from 'zod';
import { exampleId, exampleTime } from '../http/examples.ts';
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
  .meta({
    id: 'IndexCreate',
    examples: [{ name: 'handbook', dimensions: 1536, distance_metric: 'cosine', cloud_region: 'us-east-1' }],
  });

export const IndexBranchCreate = z
  .object({ name: IndexName })
  .meta({ id: 'IndexBranchCreate', examples: [{ name: 'handbook, second edition' }] });

const fixedFields = [
  'id',
  'dimensions',
  'distance_metric',
  'cloud_region',
  'non_filterable_metadata_keys',
  'parent_index_id',
  'branch_depth',
  'created_at',
];

/** Fields of an index that are fixed for its life: naming one in an update is an error, not a no-op. */
export const IndexUpdate = z
  .object({ name: IndexName })
  .loose()
  .superRefine(
    (body, context) => {
      for (const key of fixedFields) {
        if (key in body)
          context.addIssue({ code: 'custom', path: [key], message: 'this field cannot be changed', input: body[key] });
      }
    },
    // Told together with what is wrong with the name.
    { when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value) },
  )
  .meta({ id: 'IndexUpdate', examples: [{ name: 'handbook, first edition' }] });

export const IndexResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    dimensions: z.number().int(),
    distance_metric: z.enum(['cosine', 'euclidean']),
    cloud_region: z.string(),
    non_filterable_metadata_keys: z.array(z.string()),
    created_at: z.iso.datetime(),
    parent_index_id: z.string().nullable().default(null),
    branch_depth: z.number().int().default(0),
  })
  .meta({
    id: 'IndexResponse',
    examples: [
      {
        id: exampleId('idx'),
        name: 'handbook',
        dimensions: 1536,
        distance_metric: 'cosine',
        cloud_region: 'us-east-1',
        non_filterable_metadata_keys: [],
        created_at: exampleTime,
        parent_index_id: null,
        branch_depth: 0,
      },
    ],
  });

const figure = () => z.number().int().min(0);

export const IndexStats = z
  .object({
    index_id: z.string(),
    vectors: figure(),
    documents: figure(),
    dense_bytes: figure(),
    sparse_bytes: figure(),
    unindexed_vectors: figure(),
    last_written_at: z.iso.datetime().nullable(),
    status: z.enum(['creating', 'ready', 'deleting']),
  })
  .meta({
    id: 'IndexStats',
    examples: [
      {
        index_id: exampleId('idx'),
        vectors: 1_204,
        documents: 3,
        dense_bytes: 7_397_376,
        sparse_bytes: 902_144,
        unindexed_vectors: 0,
        last_written_at: exampleTime,
        status: 'ready',
      },
    ],
  });

export const UsageHistoryPoint = z
  .object({
    date: z.iso.date(),
    vectors: figure(),
    vectors_written: figure(),
    vectors_deleted: figure(),
    searches: figure(),
    dense_bytes: figure(),
    sparse_bytes: figure(),
  })
  .meta({
    id: 'UsageHistoryPoint',
    examples: [
      {
        date: '2026-01-26',
        vectors: 1_204,
        vectors_written: 1_210,
        vectors_deleted: 6,
        searches: 87,
        dense_bytes: 7_397_376,
        sparse_bytes: 902_144,
      },
    ],
  });
