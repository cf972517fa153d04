import { FileJobResponse, requireJob, retryJob, retryJobUses, toJobResponse } from '../../shared/files/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const retryFile = endpoint({
  id: 'retry-file',
  method: 'POST',
  path: '/v1/indexes/{index_id}/files/{job_id}/retry',
  tag: 'Files',
  summary: 'Process a file again',
  description:
    'Starts a job with a copy of the file of a failed or completed job, which it replaces when it completes. Until then, searches find the old content. Returns 409 if the job has not ended, if its file is no longer stored, or if a crawl or a connector owns it: the next run reads its file again.',
  auth: { needs: 'write', servesBound: true },
  errorCodes: ['plan_limit_reached', 'conflict', 'index_not_ready'],
  rate: 'file_jobs',
  idempotent: true,
  uses: retryJobUses,
  status: 201,
  response: FileJobResponse,
  handle: async (call) => {
    const { caller, deps, path } = call;
    const address = { organizationId: caller.organizationId, indexId: path.index_id, jobId: path.job_id };
    return toJobResponse(await retryJob(call, await requireJob(deps, address)));
  },
});
