import { filesRead } from '../../shared/files/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { capacityOf, prefetchIndex, IndexStats, indexesRead, maintenanceStats } from '../../shared/indexes/index.ts';

export const getIndexStats = endpoint({
  id: 'get-index-stats',
  method: 'GET',
  path: '/v1/indexes/{index_id}/stats',
  tag: 'Indexes',
  summary: 'Get the figures of an index',
  description:
    'Figures as of the last commit. `documents` counts the completed file jobs of this index itself. Searches of a large index compare `unindexed_vectors` one by one until the next maintenance.',
  auth: { needs: 'read' },
  uses: { indexes: indexesRead, files: filesRead },
  status: 200,
  response: IndexStats,
  prefetch: prefetchIndex,
  handle: async ({ caller, deps, prefetched, clock }) => {
    const index = await prefetched;
    return {
      index_id: index.id,
      vectors: index.state.rows,
      documents: await deps.files.countCompleted(caller.organizationId, index.id),
      dense_bytes: index.state.denseBytes,
      sparse_bytes: index.state.sparseBytes,
      unindexed_vectors: index.state.unindexedRows,
      last_written_at: index.lastWrittenAt,
      status: index.status,
      capacity: capacityOf(index, deps.indexes.limits),
      maintenance: maintenanceStats(index, clock.now()),
    };
  },
});
