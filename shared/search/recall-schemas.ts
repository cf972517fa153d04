import * as z from 'zod';
import { defaulted, integer, optional } from '../http/schema-helpers.ts';
import { FilterSchema } from '../platform/engine/filter.ts';
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

export const RecallResponse = z
  .object({
    top_k: z.number().int().describe('Results of each query that were compared.'),
    vectors: z.number().int().meta({ description: 'Rows of the index.' }),
    unfiltered: z
      .object(comparison)
      .meta({ id: 'RecallUnfiltered', description: 'Recall of searches without a filter.' })
      .describe('Recall without a filter.'),
    filtered: z
      .object({
        filter: z.record(z.string(), z.json()).describe('The filter that was used.'),
        matches: z.number().int().meta({ description: 'Rows that match the filter.' }),
        ...comparison,
      })
      .meta({ id: 'RecallFiltered', description: 'Recall of searches with a filter.' })
      .nullable()
      .meta({
        description: 'Recall with a filter; null if none was given and none could be derived from the metadata.',
      }),
    searches: z.number().int().meta({ description: 'Number of searches. Each counts as a dense search.' }),
    took_ms: z.number().describe('Milliseconds that the measurement took.'),
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
