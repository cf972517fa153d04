import * as z from 'zod';
import { booleanText } from '../../shared/http/schema-helpers.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { invalidCursor, nextCursorHeader, PageQuery, toPageRequest } from '../../shared/http/pagination.ts';
import { type IndexRecord, prefetchReadyIndex, indexesRead, requireFeature } from '../../shared/indexes/index.ts';
import { AppError, invalid, ValidationFailure } from '../../shared/kernel/errors.ts';
import { FilterText, type FoundRow } from '#engine';
import { AsOfText, indexAsOf, readerInvoke } from '../../shared/reader/index.ts';
import { filterProblems, hiddenKeyProblems, toVectorRecord, VectorRecord } from '../../shared/vectors/index.ts';

/** Returns a row without its content. */
const toIdRecord = ({ id, version = '' }: FoundRow) => ({ id, text: null, metadata: {}, file: null, version });

/** Returns the name of the content of an index within it. A rebuild changes it. */
const contentName = ({ id, layers: [{ table }] }: IndexRecord): string => table.slice(id.length);

/** Returns the version that all pages of an ordered list read, and the last row of the page before. */
const orderedPage = (index: IndexRecord, after: string | null) => {
  requireFeature(index, 'ordered_lists');
  const content = contentName(index);
  const ofVersion = (version: number) => ({ version, prefix: `${version}${content} ` });
  if (after === null) return { ...ofVersion(index.layers[0].version), after };
  const [, version, name, id] = /^(\d{1,15})(\.[a-z0-9_]+)? (.+)$/su.exec(after) ?? [];
  if (version === undefined || id === undefined) throw invalid(['query', 'cursor'], invalidCursor);
  if ((name ?? '') !== content)
    throw new AppError('cursor_expired', 'The index was rebuilt since the first page. Begin with the first page');
  return { ...ofVersion(Number(version)), after: id };
};

export const listVectors = endpoint({
  id: 'list-vectors',
  method: 'GET',
  path: '/v1/indexes/{index_id}/vectors',
  tag: 'Vectors',
  summary: 'List vectors',
  description:
    'Lists vectors in order of id, of all or of those that match `filter`, with their numbers if `include_vectors` is `true`. With `order_by` they are in the order of a metadata key, and all pages are of one version of the index, which is kept for at least 15 minutes. A page ends early if its rows would exceed the size of a response. With `filter` or `order_by`, which may read every row, it counts as one search.',
  auth: { needs: 'read', servesBound: true },
  rate: (_body, { filter, order_by: order }) => (filter === undefined && order === undefined ? undefined : 'searches'),
  errorCodes: ['index_not_ready', 'search_too_large', 'not_supported_by_engine', 'cursor_expired', 'version_not_kept'],
  uses: { indexes: indexesRead, reader: readerInvoke },
  timeoutSeconds: 29,
  query: PageQuery.extend({
    filter: FilterText.optional(),
    include_vectors: booleanText.default(false).describe('Whether rows have the numbers of their vectors.'),
    ids_only: booleanText
      .default(false)
      .describe('Whether rows have only their id and version. Text and file are null then, and metadata is empty.'),
    order_by: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe(
        'Metadata key, or a path to a member of objects. Of a list, its first value counts. Null comes before booleans, numbers, times, other texts and objects. Rows without the key come last.',
      ),
    as_of: AsOfText.optional(),
    direction: z
      .enum(['asc', 'desc'])
      .default('asc')
      .describe('Direction of `order_by`. Rows with equal values are in order of id.'),
  }),
  status: 200,
  response: z.array(VectorRecord),
  prefetch: prefetchReadyIndex,
  handle: async ({ deps, prefetched, query }) => {
    const index = await indexAsOf(deps.reader, await prefetched, query.as_of);
    const { filter = null, include_vectors: includeVectors, ids_only: isIdsOnly, order_by: key, direction } = query;
    const problems = [
      ...filterProblems(query, index, 'query'),
      ...(key === undefined ? [] : hiddenKeyProblems(index, [[key, ['query', 'order_by']]])),
    ];
    if (problems.length > 0) throw new ValidationFailure(problems);
    const request = toPageRequest(query);
    const page = key === undefined ? null : orderedPage(index, request.after);
    const { rows, next } = await deps.reader.execute(
      index,
      {
        op: 'list',
        limit: request.limit,
        after: page === null ? request.after : page.after,
        filter,
        include_vector: includeVectors && !isIdsOnly,
        order: key === undefined ? null : { key, direction },
      },
      { version: page?.version },
    );
    return {
      body: rows.map(isIdsOnly ? toIdRecord : toVectorRecord),
      headers: nextCursorHeader(page === null || next === null ? next : page.prefix + next),
    };
  },
});
