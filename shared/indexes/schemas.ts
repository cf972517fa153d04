import * as z from 'zod';
import { mostDimensions } from '../kernel/bounds.ts';
import { besideOthers } from '../http/beside-others.ts';
import { exampleId, exampleTime } from '../http/examples.ts';
import { integer } from '../http/integer.ts';
import { defaultTextLanguage, textLanguages } from '../platform/engine/text-language.ts';

const IndexName = z.string().min(1).max(255);

export const IndexCreate = z
  .object({
    name: IndexName,
    dimensions: integer().min(1).max(mostDimensions).default(1536),
    distance_metric: z.enum(['cosine', 'euclidean']).default('cosine'),
    cloud_region: z.string().min(1).nullable().optional(),
    non_filterable_metadata_keys: z.array(z.string().min(1).max(255)).max(100).default([]),
    text_language: z.enum(textLanguages).default(defaultTextLanguage).meta({
      description:
        'The language of the texts, for stemming and stop words of sparse search; `korean` takes words by the pairs of their syllables, `none` as they stand. Words of other scripts, such as Chinese, Japanese and Thai, are found with every setting.',
    }),
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
  'text_language',
  'parent_index_id',
  'branch_depth',
  'created_at',
];

/** Body of an update. A field that is fixed for the life of an index is refused in other words than an unknown one. */
export const IndexUpdate = z
  .object({ name: IndexName })
  .loose()
  .superRefine(
    (body, context) => {
      const unknown = Object.keys(body).filter((key) => key !== 'name' && !fixedFields.includes(key));
      for (const key of fixedFields.filter((field) => Object.hasOwn(body, field)))
        context.addIssue({ code: 'custom', path: [key], message: 'this field cannot be changed', input: body[key] });
      if (unknown.length > 0) context.addIssue({ code: 'unrecognized_keys', keys: unknown, input: body });
    },
    { when: besideOthers },
  )
  .meta({ id: 'IndexUpdate', additionalProperties: false, examples: [{ name: 'handbook, first edition' }] });

export const IndexResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    dimensions: z.number().int(),
    distance_metric: z.enum(['cosine', 'euclidean']),
    cloud_region: z.string(),
    non_filterable_metadata_keys: z.array(z.string()),
    text_language: z.enum(textLanguages),
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
        text_language: 'english',
        created_at: exampleTime,
        parent_index_id: null,
        branch_depth: 0,
      },
    ],
  });

export const IndexPromote = z.strictObject({ parent_changes: z.enum(['keep', 'discard']).default('keep') }).meta({
  id: 'IndexPromote',
  description:
    'What becomes of vectors that the parent has written since the branch point: `keep` leaves those that the branch did not touch as they are; with `discard` the parent holds exactly what the branch holds.',
  examples: [{ parent_changes: 'keep' }],
});

export const PromoteResponse = z
  .object({ index_id: z.string(), vectors_written: z.number().int(), vectors_deleted: z.number().int() })
  .meta({
    id: 'PromoteResponse',
    examples: [{ index_id: exampleId('idx'), vectors_written: 12, vectors_deleted: 3 }],
  });

export const BranchDifference = z
  .object({ id: z.string(), change: z.enum(['added', 'changed', 'deleted']) })
  .meta({ id: 'BranchDifference', examples: [{ id: 'tea', change: 'changed' }] });

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
