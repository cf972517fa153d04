import * as z from 'zod';
import { exampleId } from '../http/examples.ts';
import { LastRecall } from './recall-schemas.ts';

const figure = () => z.number().int().min(0);

const SearchLatency = z
  .object({
    measured: figure().describe('Searches whose latency is known.'),
    p50_ms: z.number().describe('Median in milliseconds.'),
    p95_ms: z.number().describe('95th percentile in milliseconds.'),
    p99_ms: z.number().describe('99th percentile in milliseconds.'),
  })
  .meta({
    id: 'SearchLatency',
    description:
      'Latency of searches, which is `took_ms` of their responses. It is derived from a histogram, whose buckets have a relative width of 26 %.',
  });

const latency = () => SearchLatency.nullable();

const exampleLatency = { measured: 85, p50_ms: 6.1, p95_ms: 14.2, p99_ms: 22.9 };

const IndexMetricsDay = z
  .object({
    date: z.iso.date().describe('Day in UTC.'),
    vectors: figure().describe('Rows at the end of the day, or now.'),
    dense_bytes: figure().describe('Bytes of the vectors at the end of the day, or now.'),
    sparse_bytes: figure().describe('Bytes of the texts and their word index at the end of the day, or now.'),
    original_bytes: figure().describe('Bytes of the original files at the end of the day, or now.'),
    vectors_written: figure().describe('Vectors that were written on the day.'),
    vectors_deleted: figure().describe('Vectors that were deleted on the day.'),
    searches: figure().describe('Searches of the day, including those of recall measurements.'),
    search_latency: latency().describe('Latency of the searches of the day; null if none is known.'),
  })
  .meta({ id: 'IndexMetricsDay', description: 'Figures of an index on one day.' });

export const IndexMetrics = z
  .object({
    index_id: z.string().describe('Id of the index.'),
    from: z.iso.date().describe('First day of the range.'),
    to: z.iso.date().describe('Last day of the range, inclusive.'),
    days: z.array(IndexMetricsDay).describe('Each day of the range until today, oldest first.'),
    search_latency: z
      .object({
        all: latency().describe('All searches.'),
        dense: latency().describe('Dense searches.'),
        sparse: latency().describe('Sparse searches.'),
        hybrid: latency().describe('Hybrid searches.'),
      })
      .meta({ id: 'SearchLatencies', description: 'Latency of searches by their kind; null if none is known.' })
      .describe('Latency of the searches of all days.'),
    last_recall: LastRecall.nullable().describe('Last measurement of recall; null if there is none.'),
  })
  .meta({
    id: 'IndexMetrics',
    description: 'Figures of an index over a range of days.',
    examples: [
      {
        index_id: exampleId('idx'),
        from: '2026-01-26',
        to: '2026-01-26',
        days: [
          {
            date: '2026-01-26',
            vectors: 1_204,
            dense_bytes: 7_397_376,
            sparse_bytes: 902_144,
            original_bytes: 4_120_332,
            vectors_written: 1_210,
            vectors_deleted: 6,
            searches: 87,
            search_latency: exampleLatency,
          },
        ],
        search_latency: { all: exampleLatency, dense: null, sparse: null, hybrid: exampleLatency },
        last_recall: null,
      },
    ],
  });
