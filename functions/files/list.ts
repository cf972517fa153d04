import * as z from 'zod';
import { FileJobResponse, FileListQuery, filesRead, toJobResponse } from '../../shared/files/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, toPageRequest } from '../../shared/http/pagination.ts';
import { indexesRead, requireIndex } from '../../shared/indexes/index.ts';

export const listFiles = endpoint({
  id: 'list-files',
  method: 'GET',
  path: '/v1/indexes/{index_id}/files',
  tag: 'Files',
  summary: 'List file jobs',
  description:
    'Returns file jobs, newest first. With a filter, a page may have fewer jobs than `limit`, or none, although more follow: go on while there is an `x-next-cursor`.',
  auth: { needs: 'read', servesBound: true },
  uses: { indexes: indexesRead, files: filesRead },
  query: FileListQuery,
  status: 200,
  response: z.array(FileJobResponse),
  handle: async ({ caller, deps, path, query }) => {
    await requireIndex(deps.indexes, caller.organizationId, path.index_id);
    const { jobs, next } = await deps.files.list(caller.organizationId, path.index_id, {
      ...toPageRequest(query),
      filter: { statuses: query.status, source: query.source, text: query.q },
    });
    return { body: jobs.map((job) => toJobResponse(job)), headers: nextCursorHeader(next) };
  },
});
