import * as z from 'zod';
import { ParsedObject } from '../kernel/json-schema.ts';
import { besideOthers } from '../http/beside-others.ts';
import { exampleId } from '../http/examples.ts';
import { integer } from '../http/integer.ts';
import { defaulted, optional } from '../http/optional.ts';
import { FilterSchema } from '../platform/engine/filter.ts';
import { SourceFile, VectorInput } from '../vectors/index.ts';

const Text = z.string().min(1).max(32_768);

const Include = z.array(z.enum(['text', 'metadata', 'vector', 'scores', 'explanation'])).max(5);

const common = {
  top_k: defaulted(integer().min(1).max(1000), 10),
  filter: optional(FilterSchema),
  include: defaulted(Include, ['text', 'metadata', 'scores']),
  exact: defaulted(z.boolean(), false).meta({
    description: 'Compare with every row instead of asking the vector index.',
  }),
};

export const DenseSearch = z
  .strictObject({ text: optional(Text), vector: optional(VectorInput), ...common })
  .refine(({ text, vector }) => text !== undefined || vector !== undefined, {
    error: 'give a text or a vector',
    when: besideOthers,
  })
  .meta({
    id: 'DenseSearch',
    description: 'A `text`, a `vector`, or both, of which the vector counts.',
    examples: [{ text: 'How hot should water for tea be?', top_k: 3, filter: { topic: 'tea' } }],
  });

const WordsText = Text.meta({
  description:
    'Words, any of which may occur. Words in double quotes have to stand in a row in that order; `-"…"` leaves out rows where they do. Both hold for the sparse side alone.',
});

export const SparseSearch = z
  .strictObject({ text: WordsText, ...common })
  .meta({ id: 'SparseSearch', examples: [{ text: 'brewing "green tea" -"iced tea"', top_k: 3 }] });

const FusionInput = z.strictObject({
  method: defaulted(z.enum(['rrf', 'weighted']), 'rrf').meta({
    description: '`rrf`: reciprocal ranks. `weighted`: scores of each side, stretched to 0…1.',
  }),
  k: defaulted(integer().min(1).max(1000), 10).meta({
    description: 'For `rrf`: how little the first ranks stand out.',
  }),
  dense_weight: optional(z.number().min(0).max(1)).meta({
    description:
      'Share of the dense side; the sparse side has the rest. Default: 0.3 where the embedded model makes the vector of the text, else 0.5.',
  }),
});

export const HybridSearch = z
  .strictObject({
    text: WordsText,
    vector: optional(VectorInput),
    // Described without a default, which its fields have: generators of clients refuse that of an object that may be null.
    fusion: optional(FusionInput).transform((given) => given ?? FusionInput.parse({})),
    ...common,
  })
  .meta({
    id: 'HybridSearch',
    examples: [
      { text: 'How hot should water for tea be?', top_k: 3, fusion: { method: 'rrf', k: 10, dense_weight: 0.4 } },
    ],
  });

const Sides = z.object({ dense: z.number().nullable(), sparse: z.number().nullable() });

const place = z.number().int().nullable();

const Explanation = z
  .object({
    dense: z
      .object({
        rank: z.number().int(),
        distance: z.number().meta({ description: 'Cosine distance, or squared euclidean distance.' }),
        share: z.number().meta({ description: 'What this side gives to `score`.' }),
      })
      .nullable(),
    sparse: z
      .object({
        rank: z.number().int(),
        score: z.number().meta({ description: 'BM25.' }),
        share: z.number().meta({ description: 'What this side gives to `score`.' }),
      })
      .nullable(),
    index_id: z
      .string()
      .meta({ description: 'The index whose own table holds the row: this one, or one it branched from.' }),
    branch_distance: z.number().int().meta({ description: '0 for this index, 1 for its parent, and so on.' }),
    chunk: z
      .object({
        position: place.meta({ description: 'Number of the chunk in its part of the file, from 1.' }),
        start: place.meta({ description: 'Offset of its first character in the text of that part.' }),
        end: place,
        heading_path: z.array(z.string()).meta({ description: 'Headings above the chunk, outermost first.' }),
      })
      .nullable()
      .meta({ description: 'Null for a row that no file wrote.' }),
  })
  .meta({ id: 'SearchExplanation' });

const SearchResult = z
  .object({
    id: z.string(),
    score: z.number(),
    text: z.string().nullable().optional(),
    metadata: ParsedObject.optional(),
    vector: z.array(z.number()).optional(),
    file: SourceFile,
    ranks: Sides.optional(),
    scores: Sides.optional(),
    explanation: Explanation.optional(),
  })
  .meta({
    id: 'SearchResult',
    examples: [
      {
        id: 'tea',
        score: 0.0856,
        text: 'Green tea is brewed at eighty degrees.',
        metadata: { topic: 'tea' },
        file: { job_id: exampleId('job'), filename: 'handbook.pdf', page_start: 7, page_end: 7 },
        ranks: { dense: 1, sparse: 2 },
        scores: { dense: 0.83, sparse: 4.1 },
        explanation: {
          dense: { rank: 1, distance: 0.17, share: 0.0273 },
          sparse: { rank: 2, score: 4.1, share: 0.0583 },
          index_id: exampleId('idx'),
          branch_distance: 0,
          chunk: { position: 2, start: 1_180, end: 2_004, heading_path: ['Tea', 'Brewing'] },
        },
      },
    ],
  });

export const SearchResponse = z
  .object({ results: z.array(SearchResult), took_ms: z.number().meta({ examples: [3.4] }) })
  .meta({ id: 'SearchResponse' });
