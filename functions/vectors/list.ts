import * as z from 'zod';
import { booleanText } from '../../shared/http/schema-helpers.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, PageQuery, toPageRequest } from '../../shared/http/pagination.ts';
import { prefetchReadyIndex, indexesRead } from '../../shared/indexes/index.ts';
import { ValidationFailure } from '../../shared/kernel/errors.ts';
import { FilterText } from '#engine';
import { readerInvoke } from '../../shared/reader/index.ts';
import { filterProblems, toVectorRecord, VectorRecord } from '../../shared/vectors/index.ts';

export const listVectors = endpoint({
  id: 'list-vectors',
  method: 'GET',
  path: '/v1/indexes/{index_id}/vectors',
  tag: 'Vectors',
  summary: 'List vectors',
  description:
    'Lists vectors in order of id, of all or of those that match `filter`, with their numbers if `include_vectors` is `true`. A page ends early if its rows would exceed the size of a response. With `filter`, which may read every row, it counts as one search.',
  auth: { needs: 'read' },
  rate: (_body, { filter }) => (filter === undefined ? undefined : 'searches'),
  errorCodes: ['index_not_ready'],
  uses: { indexes: indexesRead, reader: readerInvoke },
  timeoutSeconds: 29,
  query: PageQuery.extend({
    filter: FilterText.optional(),
    include_vectors: booleanText.default(false).describe('Whether rows have the numbers of their vectors.'),
  }),
  status: 200,
  response: z.array(VectorRecord),
  prefetch: prefetchReadyIndex,
  handle: async ({ deps, prefetched, query }) => {
    const index = await prefetched;
    const problems = filterProblems(query, index, 'query');
    if (problems.length > 0) throw new ValidationFailure(problems);
    const { rows, next } = await deps.reader.execute(index, {
      op: 'list',
      ...toPageRequest(query),
      filter: query.filter ?? null,
      include_vector: query.include_vectors,
    });
    return { body: rows.map(toVectorRecord), headers: nextCursorHeader(next) };
  },
});
