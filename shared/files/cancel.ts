import type { Clock } from '../kernel/clock.ts';
import { closeEnded } from './close-ended.ts';
import type { FileWriter } from './contracts.ts';
import { toProcessing } from './present.ts';
import type { JobRecord } from './record.ts';
import type { IndexLog } from './take-back-rows.ts';

/**
 * Ends a job before its time, with its tasks and whatever rows it has. False where it had ended in another way; a repeat
 * finishes what an earlier call left.
 */
export const cancelJob = async (
  deps: { readonly files: FileWriter; readonly log: IndexLog },
  job: JobRecord,
  clock: Clock,
): Promise<boolean> => {
  const address = { organizationId: job.organizationId, indexId: job.indexId, jobId: job.id };
  const at = clock.now().toISOString();
  const processing = toProcessing(job, await deps.files.tasks(job.organizationId, job.id), at);
  const cancelled = await deps.files.cancel(address, { processing, at });
  if (!cancelled && (await deps.files.get(address))?.status !== 'cancelled') return false;
  await closeEnded(deps, { ...job, status: 'cancelled' }, at);
  return true;
};
