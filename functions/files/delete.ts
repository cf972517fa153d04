import { removeJobs, removeJobsUses, requireStoredJob } from '../../shared/files/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { unavailable } from '../../shared/kernel/errors.ts';

export const deleteFile = endpoint({
  id: 'delete-file',
  method: 'DELETE',
  path: '/v1/indexes/{index_id}/files/{job_id}',
  tag: 'Files',
  summary: 'Delete a file job',
  description:
    'Removes the file, the job, every row that it wrote, and the text of the file in its events. A job that has not ended is cancelled first. Returns when no search finds the rows. If the index does not commit the removal in time, returns 503: the job is no longer visible, and the deletion continues in the background.',
  auth: { needs: 'write', servesBound: true },
  errorCodes: ['conflict'],
  uses: removeJobsUses,
  timeoutSeconds: 29,
  memoryMb: 1024,
  status: 204,
  handle: async ({ caller, deps, path, clock }) => {
    const address = { organizationId: caller.organizationId, indexId: path.index_id, jobId: path.job_id };
    const startedMs = performance.now();
    const isGone = await removeJobs(deps, [await requireStoredJob(deps, address)], clock, startedMs);
    if (!isGone)
      throw unavailable(null, 'The deletion is accepted and continues in the background; it can be repeated safely', 5);
    return undefined;
  },
});
