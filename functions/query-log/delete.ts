import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead, prefetchIndex } from '../../shared/indexes/index.ts';
import { queryLogErase } from '../../shared/query-log/index.ts';

export const deleteQueryLog = endpoint({
  id: 'delete-query-log',
  method: 'DELETE',
  path: '/v1/indexes/{index_id}/query-log',
  tag: 'Evaluation',
  summary: 'Delete the log of an index',
  description:
    'Deletes all logged searches of an index and their feedback. Searches are logged further while `query_log` of the index says so. Searches of the last two seconds may be stored afterwards.',
  auth: { needs: 'write' },
  audit: { action: 'query_log.deleted', before: ({ path }) => ({ id: path.index_id }) },
  uses: { indexes: indexesRead, queryLog: queryLogErase },
  timeoutSeconds: 29,
  status: 204,
  prefetch: prefetchIndex,
  handle: async ({ deps, prefetched }) => {
    await deps.queryLog.eraseAll(await prefetched);
    return undefined;
  },
});
