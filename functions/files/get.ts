import { FileJobResponse, filesRead, requireCitedJob, toJobResponse } from '../../shared/files/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

export const getFile = endpoint({
  id: 'get-file',
  method: 'GET',
  path: '/v1/indexes/{index_id}/files/{job_id}',
  tag: 'Files',
  summary: 'Get a file job',
  auth: { needs: 'read', servesBound: true },
  uses: { indexes: indexesRead, files: filesRead },
  status: 200,
  response: FileJobResponse,
  handle: async ({ caller, deps, path }) => {
    const job = await requireCitedJob(deps, {
      organizationId: caller.organizationId,
      indexId: path.index_id,
      jobId: path.job_id,
    });
    // The figures of an ended job are stored in it.
    const tasks = job.processing === null ? await deps.files.tasks(caller.organizationId, job.id) : [];
    return toJobResponse(job, tasks);
  },
});
