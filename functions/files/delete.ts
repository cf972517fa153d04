import { cancelJob, filesWrite, requireJob } from '../../shared/files/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { awaitReceipt, indexesRead, logSend } from '../../shared/indexes/index.ts';
import { contentWriter } from '../../shared/platform/aws/content.ts';

export const deleteFile = endpoint({
  id: 'delete-file',
  method: 'DELETE',
  path: '/v1/indexes/{index_id}/files/{job_id}',
  tag: 'Files',
  summary: 'Delete a file job',
  description:
    'Removes the file, the job and every row that it wrote; a job that has not ended is cancelled first. Answers once no search finds the rows.',
  auth: { needs: 'write' },
  refuses: ['conflict'],
  uses: { indexes: indexesRead, files: filesWrite, log: logSend, content: contentWriter },
  timeoutSeconds: 29,
  memoryMb: 1024,
  status: 204,
  handle: async ({ caller, deps, path, clock }) => {
    const address = { organizationId: caller.organizationId, indexId: path.index_id, jobId: path.job_id };
    const job = await requireJob(deps, address);
    await cancelJob(deps, job, clock);
    const index = { organizationId: job.organizationId, id: job.indexId, region: job.region };
    const receiptId = await deps.log.append(index, { op: 'remove_job', job_id: job.id, counted: true });
    await awaitReceipt(deps.indexes, index, receiptId);
    await deps.content.deleteAll(job.region, `uploads/${job.organizationId}/${job.indexId}/${job.id}/`);
    await deps.files.remove(address);
    return undefined;
  },
});
