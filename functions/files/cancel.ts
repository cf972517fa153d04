import {
  cancelJob,
  FileJobResponse,
  filesWrite,
  isOpen,
  requireJob,
  replacementInProgress,
  toJobResponse,
} from '../../shared/files/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead, logSend } from '../../shared/indexes/index.ts';
import { AppError } from '../../shared/kernel/errors.ts';

export const cancelFile = endpoint({
  id: 'cancel-file',
  method: 'POST',
  path: '/v1/indexes/{index_id}/files/{job_id}/cancel',
  tag: 'Files',
  summary: 'Cancel a file job',
  description:
    'Cancels a job that has not ended, and removes the rows that it has written. A repeat returns the same response. Returns 409 if the job has ended otherwise, or is just replacing another.',
  auth: { needs: 'write', servesBound: true },
  errorCodes: ['conflict'],
  uses: { indexes: indexesRead, files: filesWrite, log: logSend },
  status: 200,
  response: FileJobResponse,
  handle: async ({ caller, deps, path, clock }) => {
    const address = { organizationId: caller.organizationId, indexId: path.index_id, jobId: path.job_id };
    const job = await requireJob(deps, address);
    if (!(await cancelJob(deps, job, clock))) {
      const ended = await requireJob(deps, address);
      throw isOpen(ended)
        ? replacementInProgress()
        : new AppError('conflict', `The job has ended: it is ${ended.status}`);
    }
    return toJobResponse(await requireJob(deps, address));
  },
});
