import { isOpenTask } from '../../../../shared/files/index.ts';
import type { TaskContext } from '../uses.ts';
import { type Claim, TaskEnded } from './claim-task.ts';

/**
 * Counts the tokens of a group of texts, once over all attempts. Throws `TaskEnded` if the task has ended. Its tokens
 * may already be in the usage ledger, so the log counts these.
 */
export const recordTokens = async (
  { deps }: TaskContext,
  { address, index, job, task }: Claim,
  group: string,
  tokens: number,
): Promise<void> => {
  const now = await deps.files.noteTokens(address, { group, tokens, late: false });
  if (now !== null && isOpenTask(now)) return;
  // A deleted job no longer records which groups are counted; each is requested once.
  if (!(now ?? task).embedded.has(group)) {
    const change = { op: 'count_tokens', job_id: job.id, ordinal: task.ordinal, group, tokens } as const;
    await deps.log.append(index, change, `${task.id}-${group}`, { isRepeat: true });
  }
  throw new TaskEnded();
};
