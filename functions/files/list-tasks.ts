import * as z from 'zod';
import { FileTaskResponse, filesRead, ordinalText, requireJob, toTaskResponse } from '../../shared/files/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursor, pageOf, PageQuery, toPage } from '../../shared/http/page.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

export const listFileTasks = endpoint({
  id: 'list-file-tasks',
  method: 'GET',
  path: '/v1/indexes/{index_id}/files/{job_id}/tasks',
  tag: 'Files',
  summary: 'List the tasks of a file job',
  description: 'In order of their place in the file; all of them, unless `limit` asks for fewer.',
  auth: { needs: 'read' },
  uses: { indexes: indexesRead, files: filesRead },
  query: PageQuery,
  status: 200,
  response: z.array(FileTaskResponse),
  handle: async ({ caller, deps, path, query }) => {
    const job = await requireJob(deps, {
      organizationId: caller.organizationId,
      indexId: path.index_id,
      jobId: path.job_id,
    });
    const tasks = await deps.files.tasks(caller.organizationId, job.id);
    const { items, next } = pageOf(tasks, ({ ordinal }) => ordinalText(ordinal), toPage(query, tasks.length));
    return { body: items.map(toTaskResponse), headers: nextCursor(next) };
  },
});
