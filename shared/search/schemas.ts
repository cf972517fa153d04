import * as z from 'zod';
import { ParsedObject } from '../kernel/json-schema.ts';
import { defaulted, integer, optional, whenObject } from '../http/schema-helpers.ts';
import { skipReasons, stageDescriptions, stageNames } from '../ranking/index.ts';
import { exampleId } from '../http/examples.ts';
import { FilterSchema } from '#engine';
import { fusionField, rankingFields } from './ranking-fields.ts';
import { Citation, citationExample } from '../files/index.ts';
import { Context, Highlight } from './context-schemas.ts';
import { SourceFile, VectorInput, VectorValues } from '../vectors/index.ts';

const Text = z.string().min(1).max(32_768);

const Include = z
  .array(
    z
      .enum(['text', 'metadata', 'vector', 'scores', 'explanation', 'usage', 'citation'])
      .meta({ id: 'SearchField', description: 'A part of a result that a search can return.' }),
  )
  .max(7);

/** Fields that all searches have. */
export const searchFields = {
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
  ...rankingFields,
};

const WordsText = Text.meta({
  description:
    'Words to search for; rows match with any of them. Words in quotes, also in typographic ones, must occur next to each other in that order. `-"…"` excludes rows with that phrase. Phrases apply only to the sparse side. Required without `queries`.',
});

/** Requires the text of a search by words, unless it has several queries. */
const requireText = (
  { text, queries }: { readonly text?: string | undefined; readonly queries?: readonly unknown[] | undefined },
  context: z.RefinementCtx,
): void => {
  if (text === undefined && queries === undefined)
    context.addIssue({ code: 'invalid_type', expected: 'string', path: ['text'], input: undefined });
};

export const DenseSearch = z
  .strictObject({
    text: optional(Text).describe('Text to search for. The model of the index turns it into a vector.'),
    vector: optional(VectorInput),
    ...searchFields,
  })
  .refine(({ text, vector, queries }) => text !== undefined || vector !== undefined || queries !== undefined, {
    error: 'give a text or a vector',
    when: whenObject,
  })
  .meta({
    id: 'DenseSearch',
    description: 'A `text`, a `vector`, or both. The vector has precedence.',
    examples: [{ text: 'How hot should water for tea be?', top_k: 3, filter: { topic: 'tea' } }],
  });

export const SparseSearch = z
  .strictObject({ text: WordsText.optional(), ...searchFields })
  .superRefine(requireText, { when: whenObject })
  .meta({
    id: 'SparseSearch',
    description: 'A search by words.',
    examples: [{ text: 'brewing "green tea" -"iced tea"', top_k: 3 }],
  });

export const HybridSearch = z
  .strictObject({
    text: WordsText.optional(),
    vector: optional(VectorInput),
    fusion: fusionField,
    ...searchFields,
  })
  .superRefine(requireText, { when: whenObject })
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
    first_stage: z.number().optional().describe('Score before the boost and the reranker.'),
    boost: z.number().optional().describe('Boost by metadata, between -1 and 1.'),
    rerank: z
      .number()
      .nullable()
      .optional()
      .describe('Score of the reranker, between 0 and 1; null if it did not score the row.'),
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

const GroupPlace = z
  .object({
    value: z
      .union([z.string(), z.number(), z.boolean()])
      .meta({ id: 'SearchGroupValue', description: 'Value of a group.' })
      .nullable()
      .describe('Value that the hits of the group share; null: the row has none, and is a group of its own.'),
    position: z.number().int().describe('Position among the hits of the group, from 1.'),
    hidden: z.number().int().describe('Further hits of the group among the candidates.'),
  })
  .meta({ id: 'SearchGroupPlace', description: 'Place of a result in its group.' });

const resultExample = {
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
  citation: citationExample,
};

/** Example of a response. */
export const searchExample = { results: [resultExample], took_ms: 3.4 };

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
    group: GroupPlace.optional().describe('Place in its group, with `group` in the request.'),
    explanation: Explanation.optional().describe('Why the row was found, with `explanation` in `include`.'),
    highlights: z
      .array(Highlight)
      .optional()
      .describe('Parts of the text with what the queries match, with `highlight` in the request.'),
    context: z
      .number()
      .int()
      .nullable()
      .optional()
      .describe('Its text in `contexts`, from 0, with `context` in the request; null if it is no chunk of a file.'),
    citation: Citation.nullable()
      .optional()
      .describe('Place of the text in its file, with `citation` in `include`; null if no file wrote the row.'),
  })
  .meta({
    id: 'SearchResult',
    description: 'A row that a search found.',
    examples: [resultExample],
  });

const RerankReport = z
  .object({
    status: z
      .enum(['done', 'skipped'])
      .meta({ id: 'RerankStatus', description: 'Whether the hits were reranked.' })
      .describe('`skipped`: the order is that of the first stage.'),
    reason: z
      .enum(skipReasons)
      .meta({ id: 'RerankSkipReason', description: 'Why hits were not reranked.' })
      .nullable()
      .describe('Why the hits were not reranked; null if they were.'),
    model: z.string().describe('Id of the reranker.'),
    candidates: z.number().int().describe('Hits that were sent to it.'),
    took_ms: z.number().describe('Milliseconds that it took.'),
    units: z.number().int().describe('Units by which it is billed: for most models, one for each hit.'),
  })
  .meta({ id: 'RerankReport', description: 'What the reranker has done.' });

const StageReport = z
  .object({
    stage: z
      .enum(stageNames)
      .meta({
        id: 'SearchStage',
        description: `A stage of a search. ${Object.entries(stageDescriptions)
          .map(([name, description]) => `\`${name}\`: ${description}`)
          .join(' ')}`,
      })
      .describe('The stage.'),
    in: z.number().int().describe('Hits, or groups of hits, that it received.'),
    out: z.number().int().describe('Hits, or groups of hits, that it returned.'),
    took_ms: z.number().describe('Milliseconds that it took.'),
  })
  .meta({ id: 'SearchStageReport', description: 'What a stage of a search has done.' });

const FacetValues = z
  .object({
    key: z.string().describe('The metadata key.'),
    values: z
      .array(
        z
          .object({
            value: z
              .unknown()
              .meta({ jsonSchema: { $ref: '#/components/schemas/JsonValue' }, description: 'The value.' }),
            count: z.number().int().describe('Rows that have it.'),
          })
          .meta({ id: 'FacetValue', description: 'A value and the number of rows that have it.' }),
      )
      .describe('The most frequent values, of equal counts in the order of their JSON.'),
    distinct: z
      .number()
      .int()
      .nullable()
      .describe('Distinct values; null if there are more than 100,000, so that none are returned.'),
  })
  .meta({ id: 'FacetCounts', description: 'Counts of the values of a key over all rows that match the filter.' });

const SearchUsage = z
  .object({
    searches: z.number().int().describe('Searches that were run.'),
    embedding_tokens: z.number().int().describe('Tokens of text that were turned into vectors.'),
    rerank_units: z.number().int().describe('Units of the reranker.'),
    estimated_cost_usd: z.number().describe('Searches, tokens and units by the unit prices of the plans.'),
  })
  .meta({ id: 'SearchUsage', description: 'Usage of one search.' });

export const SearchResponse = z
  .object({
    results: z.array(SearchResult).describe('The results, best first.'),
    took_ms: z.number().meta({ examples: [3.4], description: 'Milliseconds that the service took.' }),
    contexts: z
      .array(Context)
      .optional()
      .describe('Texts around the results, with `context`. Results whose texts meet share one.'),
    rerank: RerankReport.optional().describe('What the reranker has done, with `rerank`.'),
    dropped_by_min_score: z.number().int().optional().describe('Hits below `min_score`.'),
    groups_exhausted: z
      .boolean()
      .optional()
      .describe('Whether every group with a matching row is among the candidates, with `group`.'),
    next_cursor: z
      .string()
      .nullable()
      .optional()
      .describe(
        'Cursor of the next page, with any stage; null if no candidates follow, or if a remote reranker would score them again.',
      ),
    facets: z.array(FacetValues).optional().describe('Counts of values, with `facets`.'),
    stages: z.array(StageReport).optional().describe('The stages, with `explanation` in `include`.'),
    usage: SearchUsage.optional().describe('Usage of this search, with `usage` in `include`.'),
    search_id: z
      .string()
      .optional()
      .describe('Id of the search in the log of the index, for feedback; absent if it is not logged.'),
  })
  .meta({ id: 'SearchResponse', description: 'The results of a search.', examples: [searchExample] });
