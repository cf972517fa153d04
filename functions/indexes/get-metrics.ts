import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { holdingOf, indexesRead, requireIndex } from '../../shared/indexes/index.ts';
import { IndexMetrics, lastRecallRead } from '../../shared/search/index.ts';
import {
  addHistograms,
  dateRangeOf,
  dateRangeQuery,
  indexHistory,
  type IndexDay,
  summarizeLatencies,
  usageRead,
} from '../../shared/usage/index.ts';

type Mode = keyof IndexDay['latencies'];

const modes: readonly Mode[] = ['dense', 'sparse', 'hybrid'];

/** Returns the latency of the searches of some days and kinds. */
const latencyOf = (days: readonly IndexDay[], of: readonly Mode[] = modes) =>
  summarizeLatencies(addHistograms(days.flatMap(({ latencies }) => of.map((mode) => latencies[mode]))));

export const getIndexMetrics = endpoint({
  id: 'get-index-metrics',
  method: 'GET',
  path: '/v1/indexes/{index_id}/metrics',
  tag: 'Indexes',
  summary: 'Get the metrics of an index',
  description:
    'Returns size, changes, searches and search latency by day (UTC), and the last measurement of recall. Searches are counted exactly. The latency of the last search of a process may be missing.',
  auth: { needs: 'read' },
  uses: { indexes: indexesRead, usage: usageRead, recall: lastRecallRead },
  query: z.strictObject(dateRangeQuery),
  status: 200,
  response: IndexMetrics,
  handle: async ({ caller, deps, path, query, clock }) => {
    const now = clock.now();
    const range = dateRangeOf(query, now);
    const index = await requireIndex(deps.indexes, caller.organizationId, path.index_id);
    const [days, recall] = await Promise.all([
      indexHistory(deps.usage, index, holdingOf(index), now, range),
      deps.recall.get(index),
    ]);
    return {
      index_id: index.id,
      ...range,
      days: days.map((day) => ({
        date: day.date,
        vectors: day.vectors,
        dense_bytes: day.denseBytes,
        sparse_bytes: day.sparseBytes,
        original_bytes: day.originalBytes,
        vectors_written: day.used.vectors_written,
        vectors_deleted: day.used.vectors_deleted,
        searches: day.searches,
        search_latency: latencyOf([day]),
      })),
      search_latency: {
        all: latencyOf(days),
        dense: latencyOf(days, ['dense']),
        sparse: latencyOf(days, ['sparse']),
        hybrid: latencyOf(days, ['hybrid']),
      },
      last_recall: recall,
    };
  },
});
