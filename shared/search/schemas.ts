import * as z from 'zod';
import { ParsedObject } from '../kernel/json-schema.ts';
import { defaulted, integer, optional, whenObject } from '../http/schema-helpers.ts';
import { exampleId } from '../http/examples.ts';
import { FilterSchema } from '#engine';
import { SourceFile, VectorInput, VectorValues } from '../vectors/index.ts';

const Text = z.string().min(1).max(32_768);

const Include = z
  .array(
    z
      .enum(['text', 'metadata', 'vector', 'scores', 'explanation'])
      .meta({ id: 'SearchField', description: 'A part of a result that a search can return.' }),
  )
  .max(5);

const common = {
  top_k: defaulted(integer().min(1).max(1000), 10).meta({
    id: 'SearchTopK',
    description: 'Maximum number of results.',
  }),
  filter: optional(FilterSchema),
  include: defaulted(Include, ['text', 'metadata', 'scores']).meta({
    id: 'SearchInclude',
    description: 'Parts that each result has besides `id`, `score` and `file`.',
  }),
  exact: defaulted(z.boolean(), false).meta({
    id: 'SearchExact',
    description: 'Compare with every row instead of using the vector index.',
  }),
};

export const DenseSearch = z
  .strictObject({
    text: optional(Text).describe('Text to search for. The model of the index turns it into a vector.'),
    vector: optional(VectorInput),
    ...common,
  })
  .refine(({ text, vector }) => text !== undefined || vector !== undefined, {
    error: 'give a text or a vector',
    when: whenObject,
  })
  .meta({
    id: 'DenseSearch',
    description: 'A `text`, a `vector`, or both. The vector has precedence.',
    examples: [{ text: 'How hot should water for tea be?', top_k: 3, filter: { topic: 'tea' } }],
  });

const WordsText = Text.meta({
  description:
    'Words to search for; rows match with any of them. Words in quotes, also in typographic ones, must occur next to each other in that order. `-"…"` excludes rows with that phrase. Phrases apply only to the sparse side.',
});

export const SparseSearch = z.strictObject({ text: WordsText, ...common }).meta({
  id: 'SparseSearch',
  description: 'A search by words.',
  examples: [{ text: 'brewing "green tea" -"iced tea"', top_k: 3 }],
});

const FusionInput = z
  .strictObject({
    method: defaulted(
      z.enum(['rrf', 'weighted']).meta({ id: 'FusionMethod', description: 'Method of fusion.' }),
      'weighted',
    ).meta({
      description:
        '`rrf`: reciprocal rank fusion. `weighted`: weighted sum of the scores of each side, normalized to 0…1.',
    }),
    k: defaulted(integer().min(1).max(1000), 10).meta({
      description: 'Constant of `rrf`. A larger value gives the first ranks less weight.',
    }),
    dense_weight: optional(z.number().min(0).max(1)).meta({
      description:
        'Weight of the dense side; the sparse side has the rest. Default: 0.5. If the embedded model embeds the text: 0.4, or 0.1 if most letters of the text are not Latin.',
    }),
  })
  .meta({ id: 'SearchFusion', description: 'Fusion of the dense and the sparse side.' });

export const HybridSearch = z
  .strictObject({
    text: WordsText,
    vector: optional(VectorInput),
    // Documented without a default, because client generators reject a default of a nullable object. Its fields have defaults.
    fusion: optional(FusionInput)
      .transform((given) => given ?? FusionInput.parse({}))
      .meta({ description: 'Fusion of the dense and the sparse side.' }),
    ...common,
  })
  .meta({
    id: 'HybridSearch',
    description: 'A search by meaning and words.',
    examples: [
      { text: 'How hot should water for tea be?', top_k: 3, fusion: { method: 'rrf', k: 10, dense_weight: 0.4 } },
    ],
  });

const Ranks = z
  .object({
    dense: z.number().int().nullable().describe('Rank of the dense side, from 1; null if it did not find the row.'),
    sparse: z.number().int().nullable().describe('Rank of the sparse side, from 1; null if it did not find the row.'),
  })
  .meta({ id: 'SearchRanks', description: 'Rank of a result on each side.' });

const Scores = z
  .object({
    dense: z.number().nullable().describe('Similarity of the dense side; null if it did not find the row.'),
    sparse: z.number().nullable().describe('BM25 score of the sparse side; null if it did not find the row.'),
  })
  .meta({ id: 'SearchScores', description: 'Score of a result on each side.' });

const place = z.number().int().nullable();

const Explanation = z
  .object({
    dense: z
      .object({
        rank: z.number().int().describe('Rank of the dense side, from 1.'),
        distance: z.number().meta({ description: 'Cosine distance, or squared euclidean distance.' }),
        share: z.number().meta({ description: 'Contribution of this side to `score`.' }),
      })
      .meta({ id: 'DenseExplanation', description: 'Result of the dense side.' })
      .nullable()
      .meta({ description: 'The dense side; null if it did not find the row.' }),
    sparse: z
      .object({
        rank: z.number().int().describe('Rank of the sparse side, from 1.'),
        score: z.number().meta({ description: 'BM25.' }),
        share: z.number().meta({ description: 'Contribution of this side to `score`.' }),
      })
      .meta({ id: 'SparseExplanation', description: 'Result of the sparse side.' })
      .nullable()
      .meta({ description: 'The sparse side; null if it did not find the row.' }),
    index_id: z
      .string()
      .meta({ description: 'The index whose own table holds the row: this one, or one it branched from.' }),
    branch_distance: z.number().int().meta({ description: '0 for this index, 1 for its parent, and so on.' }),
    chunk: z
      .object({
        position: place.meta({ description: 'Number of the chunk in its part of the file, from 1.' }),
        start: place.meta({ description: 'Offset of its first character in the text of that part.' }),
        end: place.meta({ description: 'Offset behind its last character in the text of that part.' }),
        heading_path: z.array(z.string()).meta({ description: 'Headings above the chunk, outermost first.' }),
      })
      .meta({ id: 'ChunkPosition', description: 'Where a chunk of a file is in its text.' })
      .nullable()
      .meta({ description: 'Where the chunk is in its file; null for a row that no file wrote.' }),
  })
  .meta({ id: 'SearchExplanation', description: 'Why a row was found.' });

const SearchResult = z
  .object({
    id: z.string().describe('Id of the row.'),
    score: z
      .number()
      .describe('Score of the result: higher is better. Scores of different searches cannot be compared.'),
    text: z.string().nullable().optional().describe('Text of the row; null if it has none.'),
    metadata: ParsedObject.optional().describe('Metadata of the row.'),
    vector: VectorValues.optional().describe('The numbers of the vector.'),
    file: SourceFile.describe('The file that the row comes from; null if no file wrote it.'),
    ranks: Ranks.optional().describe('Rank on each side, with `scores` in `include`.'),
    scores: Scores.optional().describe('Score on each side, with `scores` in `include`.'),
    explanation: Explanation.optional().describe('Why the row was found, with `explanation` in `include`.'),
  })
  .meta({
    id: 'SearchResult',
    description: 'A row that a search found.',
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
  .object({
    results: z.array(SearchResult).describe('The results, best first.'),
    took_ms: z.number().meta({ examples: [3.4], description: 'Milliseconds that the service took.' }),
  })
  .meta({ id: 'SearchResponse', description: 'The results of a search.' });
