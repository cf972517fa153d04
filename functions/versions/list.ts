import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { cursorOf, nextCursorHeader, PageQuery, toPageRequest } from '../../shared/http/pagination.ts';
import { firstReadable, indexesRead, prefetchReadyIndex, requireFeature } from '../../shared/indexes/index.ts';
import { readerInvoke } from '../../shared/reader/index.ts';
import { VersionResponse } from '../../shared/versions/index.ts';

export const listVersions = endpoint({
  id: 'list-versions',
  method: 'GET',
  path: '/v1/indexes/{index_id}/versions',
  tag: 'Versions',
  summary: 'List versions',
  description:
    'Newest first. Every version is kept for 20 minutes. After that, those at the end of five minutes are kept for a day, and those at the end of an hour for the `version_days` of the index. A rebuild begins with a version of its own.',
  auth: { needs: 'read' },
  errorCodes: ['index_not_ready', 'not_supported_by_engine'],
  uses: { indexes: indexesRead, reader: readerInvoke },
  timeoutSeconds: 29,
  query: PageQuery.extend({ cursor: cursorOf(/^\d{1,15}$/) }),
  status: 200,
  response: z.array(VersionResponse),
  prefetch: prefetchReadyIndex,
  handle: async ({ deps, prefetched, query }) => {
    const index = await prefetched;
    requireFeature(index, 'versions');
    const { limit, after } = toPageRequest(query);
    const { versions, next } = await deps.reader.execute(index, {
      op: 'versions',
      keep_days: index.versionDays,
      until: null,
      before: after === null ? null : Number(after),
      limit,
      counts_rows: true,
    });
    const readable = versions.filter(({ version }) => version >= firstReadable(index));
    return {
      body: readable.map(({ version, written_at, rows }) => ({ version, created_at: written_at, vectors: rows })),
      headers: nextCursorHeader(next === null || readable.length < versions.length ? null : String(next)),
    };
  },
});
