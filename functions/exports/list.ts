import * as z from 'zod';
import { ExportResponse, exportsRead, toExportResponse } from '../../shared/exports/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, pageQueryOf, toPageRequest } from '../../shared/http/pagination.ts';
import { indexesRead, requireIndex } from '../../shared/indexes/index.ts';

export const listExports = endpoint({
  id: 'list-exports',
  method: 'GET',
  path: '/v1/indexes/{index_id}/exports',
  tag: 'Exports',
  summary: 'List exports',
  description: 'Newest first. An export is listed until its files are deleted.',
  auth: { needs: 'read', servesBound: true },
  uses: { indexes: indexesRead, exports: exportsRead },
  query: pageQueryOf('exp'),
  status: 200,
  response: z.array(ExportResponse),
  handle: async ({ caller, deps, path, query }) => {
    await requireIndex(deps.indexes, caller.organizationId, path.index_id);
    const { exports, next } = await deps.exports.list(caller.organizationId, path.index_id, toPageRequest(query));
    return { body: exports.map(toExportResponse), headers: nextCursorHeader(next) };
  },
});
