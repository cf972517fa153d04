import { maxBulkBodyBytes } from '../../shared/http/body.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead, prefetchReadyIndex } from '../../shared/indexes/index.ts';
import { readerInvoke } from '../../shared/reader/index.ts';
import {
  filterProblems,
  hiddenKeyProblems,
  readValuesCursor,
  summaryWeight,
  ValuesBody,
  ValuesResponse,
} from '../../shared/vectors/index.ts';

export const listMetadataValues = endpoint({
  id: 'list-metadata-values',
  method: 'POST',
  path: '/v1/indexes/{index_id}/metadata/values',
  tag: 'Vectors',
  summary: 'List the values of a metadata key',
  description:
    'Returns the distinct values of a key with the number of rows that have each, of all rows or of those that match `filter`. A list counts with each of its members. Reads every matching row, and counts as five searches.',
  auth: { needs: 'read', servesBound: true },
  rate: 'searches',
  weight: summaryWeight,
  errorCodes: ['index_not_ready', 'search_too_large'],
  uses: { indexes: indexesRead, reader: readerInvoke },
  timeoutSeconds: 29,
  body: ValuesBody,
  maxBodyBytes: maxBulkBodyBytes,
  status: 200,
  response: ValuesResponse,
  prefetch: prefetchReadyIndex,
  problems: async ({ body, sent, prefetched }) => [
    ...filterProblems(sent, await prefetched),
    ...hiddenKeyProblems(await prefetched, body.key === undefined ? [] : [[body.key, ['body', 'key']]]),
  ],
  handle: async ({ deps, prefetched, body }) => {
    const { values, distinct, next } = await deps.reader.execute(await prefetched, {
      op: 'values',
      key: body.key,
      filter: body.filter ?? null,
      contains: body.contains ?? null,
      limit: body.limit,
      after: body.cursor === undefined ? null : readValuesCursor(body.cursor),
    });
    return {
      values: [...values],
      distinct,
      next_cursor: next === null ? null : Buffer.from(next).toString('base64url'),
    };
  },
});
