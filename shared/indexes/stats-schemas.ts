import * as z from 'zod';
import { exampleCapacity, IndexCapacity } from '../events/index.ts';
import { integerText } from '../http/schema-helpers.ts';
import type { DayTotals } from '../usage/index.ts';
import { exampleId, exampleTime } from '../http/examples.ts';

const figure = () => z.number().int().min(0);

export const IndexStats = z
  .object({
    index_id: z.string().describe('Id of the index.'),
    vectors: figure().describe('Rows of the index.'),
    documents: figure().describe('Completed file jobs of this index itself.'),
    dense_bytes: figure().describe('Bytes of the vectors.'),
    sparse_bytes: figure().describe('Bytes of the texts and their word index.'),
    unindexed_vectors: figure().describe(
      'Rows of a large index that searches compare one by one until the next maintenance.',
    ),
    last_written_at: z.iso.datetime().nullable().describe('When the index was last written; null: never.'),
    status: z
      .enum(['creating', 'ready', 'deleting'])
      .meta({ id: 'IndexStatus', description: 'Whether an index can be used.' })
      .describe('Whether the index can be used.'),
    capacity: IndexCapacity.nullable().describe('Size of the index, and its maximum; null: its engine has none.'),
    maintenance: z
      .object({
        status: z
          .enum(['ok', 'building', 'failing'])
          .meta({ id: 'IndexMaintenanceStatus', description: 'How the last maintenance of an index ended.' })
          .describe('`building`: maintenance is running. `failing`: the last one did not finish.'),
        reason: z.string().nullable().describe('Effect of the failure; null unless the status is `failing`.'),
        failures: figure().describe('Failures in a row.'),
        since: z.iso
          .datetime()
          .nullable()
          .describe('Time of the first of these failures; null unless the status is `failing`.'),
      })
      .meta({ id: 'IndexMaintenance', description: 'State of the work that keeps searches of an index fast.' })
      .describe('State of the work that adds recent rows to the table of a large index.'),
  })
  .meta({
    id: 'IndexStats',
    description: 'Figures of an index.',
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
        capacity: exampleCapacity,
        maintenance: { status: 'ok', reason: null, failures: 0, since: null },
      },
    ],
  });

/** Query of a history. */
export const HistoryQuery = z.strictObject({
  days: integerText(1, 90).default(30).describe('Days that the history goes back.'),
});

export const UsageHistoryPoint = z
  .object({
    date: z.iso.date().describe('Day in UTC.'),
    vectors: figure().describe('Rows at the end of the day, or now.'),
    vectors_written: figure().describe('Vectors that were written on the day.'),
    vectors_deleted: figure().describe('Vectors that were deleted on the day.'),
    searches: figure().describe('Searches of the day.'),
    dense_bytes: figure().describe('Bytes of the vectors at the end of the day, or now.'),
    sparse_bytes: figure().describe('Bytes of the texts and their word index at the end of the day, or now.'),
  })
  .meta({
    id: 'UsageHistoryPoint',
    description: 'Figures of an index, or of an organization, on one day.',
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

/** Returns the figures of a day as a response shows them. */
export const toHistoryPoint = (day: DayTotals): z.input<typeof UsageHistoryPoint> => ({
  date: day.date,
  vectors: day.vectors,
  vectors_written: day.vectors_written,
  vectors_deleted: day.vectors_deleted,
  searches: day.searches,
  dense_bytes: day.denseBytes,
  sparse_bytes: day.sparseBytes,
});
