import * as z from 'zod';
import { FileTaskResponse, filesRead, requireJob, toTaskResponse } from '../../shared/files/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

export const listFileTasks = endpoint({
  id: 'list-file-tasks',
  method: 'GET',
  path: '/v1/indexes/{index_id}/files/{job_id}/tasks',
  tag: 'Files',
  summary: 'List the tasks of a file job',
  description: 'In order of their place in the file.',
  auth: { needs: 'read' },
  uses: { indexes: indexesRead, files: filesRead },
  status: 200,
  response: z.array(FileTaskResponse),
  handle: async ({ caller, deps, path }) => {
    const job = await requireJob(deps, {
      organizationId: caller.organizationId,
      indexId: path.index_id,
      jobId: path.job_id,
    });
    return (await deps.files.tasks(caller.organizationId, job.id)).map(toTaskResponse);
  },
});
