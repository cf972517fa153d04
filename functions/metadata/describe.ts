import { maxBulkBodyBytes } from '../../shared/http/body.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead, prefetchReadyIndex } from '../../shared/indexes/index.ts';
import { readerInvoke } from '../../shared/reader/index.ts';
import {
  DescribeBody,
  DescribeResponse,
  filterProblems,
  hiddenKeyProblems,
  summaryWeight,
} from '../../shared/vectors/index.ts';

export const describeMetadata = endpoint({
  id: 'describe-metadata',
  method: 'POST',
  path: '/v1/indexes/{index_id}/metadata/describe',
  tag: 'Vectors',
  summary: 'Describe metadata keys',
  description:
    'Returns the types, the number of distinct values, and the lowest and highest number and text of metadata keys, over all rows or those that match `filter`. Reads every matching row, and counts as five searches.',
  auth: { needs: 'read', servesBound: true },
  rate: 'searches',
  weight: summaryWeight,
  errorCodes: ['index_not_ready', 'search_too_large'],
  uses: { indexes: indexesRead, reader: readerInvoke },
  timeoutSeconds: 29,
  body: DescribeBody,
  maxBodyBytes: maxBulkBodyBytes,
  status: 200,
  response: DescribeResponse,
  prefetch: prefetchReadyIndex,
  problems: async ({ body, sent, prefetched }) => [
    ...filterProblems(sent, await prefetched),
    ...hiddenKeyProblems(
      await prefetched,
      (body.keys ?? []).map((key, at) => [key, ['body', 'keys', at]]),
    ),
  ],
  handle: async ({ deps, prefetched, body }) => {
    const keys = body.keys === undefined ? null : [...new Set(body.keys)];
    const described = await deps.reader.execute(await prefetched, {
      op: 'describe',
      keys,
      filter: body.filter ?? null,
    });
    return { ...described, keys: described.keys.map((key) => ({ ...key, types: [...key.types] })) };
  },
});
