import { failJob, jobAddressIn } from '../../../../shared/files/index.ts';
import type { LogMessage } from '../../../../shared/indexes/index.ts';
import type { Writing } from '../uses.ts';

/** Fails the job of a task whose rows will not be written. Returns false if the message is of no task. */
export const failTask = async ({ deps, run }: Writing, message: LogMessage, error: string): Promise<boolean> => {
  const { change } = message;
  if (change.op !== 'write_task') return false;
  const address = jobAddressIn(message, change.job_id);
  const job = await deps.files.noteTaskInvocation({ ...address, ordinal: change.ordinal }, run.invocationId);
  await deps.files.unlockReplacement(address);
  if (job !== null) await failJob(deps, job, { error, code: 'processing_failed' }, run.clock);
  return true;
};
