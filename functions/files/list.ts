import * as z from 'zod';
import { FileJobResponse, filesRead, toJobResponse } from '../../shared/files/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursor, pagesOf, toPage } from '../../shared/http/page.ts';
import { indexesRead, requireIndex } from '../../shared/indexes/index.ts';

export const listFiles = endpoint({
  id: 'list-files',
  method: 'GET',
  path: '/v1/indexes/{index_id}/files',
  tag: 'Files',
  summary: 'List file jobs',
  description: 'Newest first.',
  auth: { needs: 'read' },
  uses: { indexes: indexesRead, files: filesRead },
  query: pagesOf('job'),
  status: 200,
  response: z.array(FileJobResponse),
  handle: async ({ caller, deps, path, query }) => {
    await requireIndex(deps.indexes, caller.organizationId, path.index_id);
    const { jobs, next } = await deps.files.list(caller.organizationId, path.index_id, toPage(query));
    return { body: jobs.map((job) => toJobResponse(job)), headers: nextCursor(next) };
  },
});
