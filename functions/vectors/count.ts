import { maxBulkBodyBytes } from '../../shared/http/body.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead, prefetchReadyIndex } from '../../shared/indexes/index.ts';
import { indexAsOf, readerInvoke } from '../../shared/reader/index.ts';
import { CountBody, CountResponse, filterProblems } from '../../shared/vectors/index.ts';

export const countVectors = endpoint({
  id: 'count-vectors',
  method: 'POST',
  path: '/v1/indexes/{index_id}/vectors/count',
  tag: 'Vectors',
  summary: 'Count vectors',
  description: 'Returns the exact number of rows, of all or of those that match `filter`. Counts as one search.',
  auth: { needs: 'read', servesBound: true },
  rate: 'searches',
  errorCodes: ['index_not_ready', 'not_supported_by_engine', 'cursor_expired', 'version_not_kept'],
  uses: { indexes: indexesRead, reader: readerInvoke },
  timeoutSeconds: 29,
  body: CountBody,
  maxBodyBytes: maxBulkBodyBytes,
  status: 200,
  response: CountResponse,
  prefetch: prefetchReadyIndex,
  problems: async ({ sent, prefetched }) => filterProblems(sent, await prefetched),
  handle: async ({ deps, prefetched, body }) => {
    const { rows } = await deps.reader.execute(await indexAsOf(deps.reader, await prefetched, body.as_of), {
      op: 'count',
      filter: body.filter ?? null,
    });
    return { count: rows };
  },
});
