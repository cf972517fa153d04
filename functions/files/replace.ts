import {
  FileReplacement,
  FileUploadResponse,
  isCompleted,
  requireJob,
  startReplacement,
  startUploadUses,
} from '../../shared/files/index.ts';
import { expiryProblems } from '../../shared/http/expiry.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { AppError } from '../../shared/kernel/errors.ts';

export const replaceFile = endpoint({
  id: 'replace-file',
  method: 'POST',
  path: '/v1/indexes/{index_id}/files/{job_id}/replace',
  tag: 'Files',
  summary: 'Replace the file of a job',
  description:
    'Starts a job whose content atomically replaces that of a completed job when it completes. Until then, searches find the old content. A replacement that fails changes nothing. Of several replacements, the last one to complete wins. Returns 409 if the job is not completed. A repeat under the same `Idempotency-Key` returns the first response, and does not extend the validity of the URL.',
  auth: { needs: 'write', servesBound: true },
  errorCodes: ['plan_limit_reached', 'conflict', 'index_not_ready'],
  rate: 'file_jobs',
  idempotent: true,
  uses: startUploadUses,
  ignoresUnknownFields: true,
  body: FileReplacement,
  status: 201,
  response: FileUploadResponse,
  problems: ({ body, clock }) => expiryProblems(body, ['body'], clock.now()),
  handle: async (call) => {
    const { caller, deps, path } = call;
    const address = { organizationId: caller.organizationId, indexId: path.index_id, jobId: path.job_id };
    const job = await requireJob(deps, address);
    if (!isCompleted(job))
      throw new AppError('conflict', `Only a completed job can be replaced, this one is ${job.status}`);
    return startReplacement(call, path.index_id, call.body, path.job_id);
  },
});
