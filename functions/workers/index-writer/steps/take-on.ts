import type { LogMessage } from '../../../../shared/indexes/index.ts';
import { isLeftUnended, jobAddress } from './finish-task.ts';
import type { Writing } from './writing.ts';

const patienceMs = 86_400_000;

/**
 * Whether a message that failed again and again is appended to the log once more: with it ends a job whose every row may
 * be committed by now, in place of those of another job even, so that it cannot fail any more. For a day.
 */
export const isTakenOn = async ({ deps, run }: Writing, message: LogMessage): Promise<boolean> => {
  const { change, receipt_id: receiptId } = message;
  if (change.op !== 'write_task') return false;
  const job = await deps.files.get(jobAddress(message, change.job_id));
  if (job === null || !isLeftUnended(job)) return false;
  if (run.clock.now().getTime() - Date.parse(job.startedAt ?? job.createdAt) >= patienceMs) return false;
  const index = { organizationId: job.organizationId, id: job.indexId, region: job.region };
  await deps.log.append(index, change, receiptId, run.invocationId);
  return true;
};
