import * as z from 'zod';
import { FileTaskResponse, filesRead, ordinalText, requireJob, toTaskResponse } from '../../shared/files/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, paginate, toPageRequest, OptionalPageQuery } from '../../shared/http/pagination.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

export const listFileTasks = endpoint({
  id: 'list-file-tasks',
  method: 'GET',
  path: '/v1/indexes/{index_id}/files/{job_id}/tasks',
  tag: 'Files',
  summary: 'List the tasks of a file job',
  description: 'Returns the tasks in the order of the file; all of them unless `limit` is given.',
  auth: { needs: 'read', servesBound: true },
  uses: { indexes: indexesRead, files: filesRead },
  query: OptionalPageQuery,
  status: 200,
  response: z.array(FileTaskResponse),
  handle: async ({ caller, deps, path, query }) => {
    const job = await requireJob(deps, {
      organizationId: caller.organizationId,
      indexId: path.index_id,
      jobId: path.job_id,
    });
    const tasks = await deps.files.tasks(caller.organizationId, job.id);
    const page = toPageRequest({ ...query, limit: query.limit ?? tasks.length });
    const { items, next } = paginate(tasks, ({ ordinal }) => ordinalText(ordinal), page);
    return { body: items.map(toTaskResponse), headers: nextCursorHeader(next) };
  },
});
