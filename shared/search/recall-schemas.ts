import * as z from 'zod';
import { defaulted, integer, optional } from '../http/schema-helpers.ts';
import { FilterSchema } from '#engine';
import { VectorInput } from '../vectors/index.ts';

export const RecallBody = z
  .strictObject({
    top_k: defaulted(integer().min(1).max(100), 10).meta({
      description: 'Results of each query that are compared.',
    }),
    queries: defaulted(integer().min(1).max(100), 20).meta({
      description: 'Stored vectors to draw. Ignored if `vectors` are given.',
    }),
    seed: defaulted(
      integer()
        .min(0)
        .max(2 ** 31 - 1),
      1,
    ).meta({ description: 'The same seed draws the same vectors as long as the index is unchanged.' }),
    vectors: optional(z.array(VectorInput).min(1).max(100)).meta({
      description: 'Vectors to search with instead, such as those of real queries.',
    }),
    filter: optional(FilterSchema),
  })
  .meta({
    id: 'RecallBody',
    description: 'Recall measurement to run.',
    examples: [{ top_k: 10, queries: 20, filter: { topic: 'tea' } }],
  });

const Latencies = z
  .object({
    p50_ms: z.number().describe('Median in milliseconds.'),
    p95_ms: z.number().describe('95th percentile in milliseconds.'),
  })
  .meta({ id: 'RecallLatencies', description: 'Latency of searches.' });

const share = z.number().min(0).max(1).nullable();

const comparison = {
  queries: z.number().int().describe('Queries that were compared.'),
  recall: share.meta({
    description: 'Mean share of the exact hits that the default search finds; null if there are no exact hits.',
  }),
  lowest: share.meta({ description: 'Lowest recall of a query.' }),
  default_search: Latencies.describe('Latency of the default search.'),
  exact_search: Latencies.describe('Latency of the exact search.'),
};

const filteredComparison = {
  matches: z.number().int().meta({ description: 'Rows that match the filter.' }),
  ...comparison,
};

const Filter = z.record(z.string(), z.json());

const Unfiltered = z
  .object(comparison)
  .meta({ id: 'RecallUnfiltered', description: 'Recall of searches without a filter.' });

const measurement = {
  top_k: z.number().int().describe('Results of each query that were compared.'),
  vectors: z.number().int().meta({ description: 'Rows of the index.' }),
  unfiltered: Unfiltered.describe('Recall without a filter.'),
};

const effort = {
  searches: z.number().int().meta({ description: 'Number of searches. Each counts as a dense search.' }),
  took_ms: z.number().describe('Milliseconds that the measurement took.'),
};

const filteredDescription = 'Recall with a filter; null if none was given and none could be derived from the metadata.';

export const RecallResponse = z
  .object({
    ...measurement,
    filtered: z
      .object({ filter: Filter.describe('The filter that was used.'), ...filteredComparison })
      .meta({ id: 'RecallFiltered', description: 'Recall of searches with a filter.' })
      .nullable()
      .meta({ description: filteredDescription }),
    ...effort,
  })
  .meta({
    id: 'RecallResponse',
    description: 'Comparison of the default search with an exact search.',
    examples: [
      {
        top_k: 10,
        vectors: 100_000,
        unfiltered: {
          queries: 20,
          recall: 0.995,
          lowest: 0.9,
          default_search: { p50_ms: 3.1, p95_ms: 4.4 },
          exact_search: { p50_ms: 61.2, p95_ms: 70.3 },
        },
        filtered: {
          filter: { topic: 'tea' },
          matches: 1_012,
          queries: 20,
          recall: 1,
          lowest: 1,
          default_search: { p50_ms: 4.9, p95_ms: 6.2 },
          exact_search: { p50_ms: 9.7, p95_ms: 11.8 },
        },
        searches: 80,
        took_ms: 1_604,
      },
    ],
  });

/** Stored measurement of recall. */
export const LastRecall = z
  .object({
    measured_at: z.iso.datetime().describe('When the measurement ended.'),
    seed: z.number().int().nullable().describe('Seed that drew the vectors; null if they were given.'),
    ...measurement,
    filtered: z
      .object({
        filter: Filter.nullable().describe('The filter that was used; null if it is longer than 4,096 characters.'),
        ...filteredComparison,
      })
      .meta({ id: 'LastRecallFiltered', description: 'Last recall of searches with a filter.' })
      .nullable()
      .meta({ description: filteredDescription }),
    ...effort,
  })
  .meta({ id: 'LastRecall', description: 'Last measurement of recall of an index.' });
