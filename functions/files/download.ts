import { downloadSeconds, FileDownload, filesRead, keepsOriginal, requireCitedJob } from '../../shared/files/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';
import { AppError } from '../../shared/kernel/errors.ts';
import { downloadPresign } from '../../shared/platform/aws/content.ts';

export const downloadFile = endpoint({
  id: 'download-file',
  method: 'GET',
  path: '/v1/indexes/{index_id}/files/{job_id}/download',
  tag: 'Files',
  summary: 'Get a URL of the original file',
  description:
    'Returns a URL from which the file can be downloaded as it was uploaded. Returns 409 if the file is not stored: the job waits for it, or was cancelled or replaced.',
  auth: { needs: 'read', servesBound: true },
  errorCodes: ['conflict'],
  uses: { indexes: indexesRead, files: filesRead, content: downloadPresign },
  status: 200,
  response: FileDownload,
  handle: async ({ caller, deps, path }) => {
    const job = await requireCitedJob(deps, {
      organizationId: caller.organizationId,
      indexId: path.index_id,
      jobId: path.job_id,
    });
    if (!keepsOriginal(job)) throw new AppError('conflict', `The file of a job that is ${job.status} is not stored`);
    const url = await deps.content.presignGet(job.region, {
      key: job.objectKey,
      filename: job.filename,
      expiresInSeconds: downloadSeconds,
    });
    return { url, expires_in_seconds: downloadSeconds };
  },
});
