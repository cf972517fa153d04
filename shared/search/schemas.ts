import * as z from 'zod';
import { exampleId } from '../http/examples.ts';
import { integer } from '../http/integer.ts';
import { FilterSchema } from '../platform/engine/filter.ts';
import { besideOthers, SourceFile, VectorInput } from '../vectors/index.ts';

const Text = z.string().min(1).max(32_768);

const Include = z
  .array(z.enum(['text', 'metadata', 'vector', 'scores']))
  .max(4)
  .default(['text', 'metadata', 'scores']);

const common = {
  top_k: integer().min(1).max(1000).default(10),
  filter: FilterSchema.optional(),
  include: Include,
  exact: z.boolean().default(false).meta({ description: 'Compare with every row instead of asking the vector index.' }),
};

export const DenseSearch = z
  .object({ text: Text.optional(), vector: VectorInput.optional(), ...common })
  .refine(({ text, vector }) => text !== undefined || vector !== undefined, {
    error: 'give a text or a vector',
    when: besideOthers,
  })
  .meta({
    id: 'DenseSearch',
    description: 'A `text`, a `vector`, or both, of which the vector counts.',
    examples: [{ text: 'How hot should water for tea be?', top_k: 3, filter: { topic: 'tea' } }],
  });

export const SparseSearch = z
  .object({ text: Text, ...common })
  .meta({ id: 'SparseSearch', examples: [{ text: 'brewing green tea', top_k: 3 }] });

const FusionInput = z
  .object({
    method: z.enum(['rrf', 'weighted']).default('rrf'),
    k: integer().min(1).max(1000).default(60),
    dense_weight: z.number().min(0).max(1).default(0.5),
  })
  .default({ method: 'rrf', k: 60, dense_weight: 0.5 });

export const HybridSearch = z
  .object({ text: Text, vector: VectorInput.optional(), fusion: FusionInput, ...common })
  .meta({
    id: 'HybridSearch',
    examples: [
      { text: 'How hot should water for tea be?', top_k: 3, fusion: { method: 'rrf', k: 60, dense_weight: 0.5 } },
    ],
  });

const Sides = z.object({ dense: z.number().nullable(), sparse: z.number().nullable() });

const SearchResult = z
  .object({
    id: z.string(),
    score: z.number(),
    text: z.string().nullable().optional(),
    metadata: z.record(z.string(), z.json()).optional(),
    vector: z.array(z.number()).optional(),
    file: SourceFile,
    ranks: Sides.optional(),
    scores: Sides.optional(),
  })
  .meta({
    id: 'SearchResult',
    examples: [
      {
        id: 'tea',
        score: 0.031,
        text: 'Green tea is brewed at eighty degrees.',
        metadata: { topic: 'tea' },
        file: { job_id: exampleId('job'), filename: 'handbook.pdf', page_start: 7, page_end: 7 },
        ranks: { dense: 1, sparse: 2 },
        scores: { dense: 0.83, sparse: 4.1 },
      },
    ],
  });

export const SearchResponse = z
  .object({ results: z.array(SearchResult), took_ms: z.number().meta({ examples: [3.4] }) })
  .meta({ id: 'SearchResponse' });
