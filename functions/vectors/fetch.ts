import { maxBulkBodyBytes } from '../../shared/http/body.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { prefetchReadyIndex, indexesRead } from '../../shared/indexes/index.ts';
import { indexAsOf, readerInvoke } from '../../shared/reader/index.ts';
import { FetchBody, FetchResponse, filterProblems, toVectorRecord } from '../../shared/vectors/index.ts';

export const fetchVectors = endpoint({
  id: 'fetch-vectors',
  method: 'POST',
  path: '/v1/indexes/{index_id}/vectors/fetch',
  tag: 'Vectors',
  summary: 'Fetch vectors by id',
  description:
    'Returns vectors in the order of the ids, without ids that do not exist and rows that do not match `filter`. A response is at most 6 MiB, about 200 vectors of 1,536 numbers. Use several requests for more.',
  auth: { needs: 'read', servesBound: true },
  errorCodes: ['index_not_ready', 'not_supported_by_engine', 'cursor_expired', 'version_not_kept'],
  uses: { indexes: indexesRead, reader: readerInvoke },
  timeoutSeconds: 29,
  body: FetchBody,
  maxBodyBytes: maxBulkBodyBytes,
  status: 200,
  response: FetchResponse,
  prefetch: prefetchReadyIndex,
  problems: async ({ sent, prefetched }) => filterProblems(sent, await prefetched),
  handle: async ({ deps, prefetched, body }) => {
    const { rows } = await deps.reader.execute(await indexAsOf(deps.reader, await prefetched, body.as_of), {
      op: 'fetch',
      ids: body.ids,
      filter: body.filter ?? null,
      include_vector: body.include_vectors,
    });
    return { vectors: rows.map(toVectorRecord) };
  },
});
