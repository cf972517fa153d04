import * as z from 'zod';
import { integer } from '../http/integer.ts';
import { FilterSchema } from '../platform/engine/filter.ts';
import { SourceFile, VectorInput } from '../vectors/index.ts';

const Text = z.string().min(1).max(32_768);

const Include = z.array(z.enum(['text', 'metadata', 'vector', 'scores'])).default(['text', 'metadata', 'scores']);

const common = {
  top_k: integer().min(1).max(1000).default(10),
  filter: FilterSchema.optional(),
  include: Include,
  exact: z.boolean().default(false).meta({ description: 'Compare with every row instead of asking the vector index.' }),
};

export const DenseSearch = z
  .object({ text: Text.optional(), vector: VectorInput.optional(), ...common })
  .refine(({ text, vector }) => text !== undefined || vector !== undefined, { error: 'give a text or a vector' })
  .meta({ id: 'DenseSearch' });

export const SparseSearch = z.object({ text: Text, ...common }).meta({ id: 'SparseSearch' });

const FusionInput = z
  .object({
    method: z.enum(['rrf', 'weighted']).default('rrf'),
    k: integer().min(1).max(1000).default(60),
    dense_weight: z.number().min(0).max(1).default(0.5),
  })
  .default({ method: 'rrf', k: 60, dense_weight: 0.5 });

export const HybridSearch = z
  .object({ text: Text, vector: VectorInput.optional(), fusion: FusionInput, ...common })
  .meta({ id: 'HybridSearch' });

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
  .meta({ id: 'SearchResult' });

export const SearchResponse = z
  .object({ results: z.array(SearchResult), took_ms: z.number() })
  .meta({ id: 'SearchResponse' });
