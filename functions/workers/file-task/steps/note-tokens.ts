import { isOpenTask } from '../../../../shared/files/index.ts';
import type { Working } from '../uses.ts';
import { type Claim, TaskEnded } from './claim-task.ts';

/**
 * Counts what the model has read for a group of texts, once through all attempts. Throws `TaskEnded` where the task has ended
 * meanwhile: its tokens may be in the books by then, so the log counts these.
 */
export const noteTokens = async (
  { deps }: Working,
  { address, index, job, task }: Claim,
  group: string,
  tokens: number,
): Promise<void> => {
  const now = await deps.files.noteTokens(address, { group, tokens, late: false });
  if (now !== null && isOpenTask(now)) return;
  // Of a job that has been deleted nothing tells any more which groups are counted; each is asked for once.
  if (!(now ?? task).embedded.has(group)) {
    const change = { op: 'count_tokens', job_id: job.id, ordinal: task.ordinal, group, tokens } as const;
    await deps.log.append(index, change, `${task.id}-${group}`, { isRepeat: true });
  }
  throw new TaskEnded();
};
