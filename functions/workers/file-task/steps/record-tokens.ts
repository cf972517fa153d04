import { addressOfJob, isOpenTask } from '../../../../shared/files/index.ts';
import { countOnce } from '../../../../shared/ledger/index.ts';
import type { TaskContext } from '../uses.ts';
import { type Claim, TaskEnded } from './claim-task.ts';

/** Counts the tokens of a group of texts of an ended task by themselves. Its job may be counted before. */
const countLateTokens = (
  { deps, run }: TaskContext,
  { address, job, task }: Claim,
  group: string,
  tokens: number,
): Promise<void> =>
  countOnce(deps, addressOfJob(job), `${task.id}-${group}`, run.clock.now().toISOString(), async () => {
    const isNoted = (await deps.files.taskAt(address))?.embedded.has(group) ?? false;
    return isNoted
      ? null
      : {
          used: { embedding_tokens: tokens },
          // A deleted task has no further run.
          markCounted: () => deps.files.noteLateTokens(address, { group, tokens }),
        };
  });

/**
 * Counts the tokens of a group of texts, once over all attempts. Throws `TaskEnded` if the task has ended, after counting
 * them by themselves.
 */
export const recordTokens = async (
  context: TaskContext,
  claim: Claim,
  group: string,
  tokens: number,
): Promise<void> => {
  const now = await context.deps.files.noteTokens(claim.address, { group, tokens });
  if (now !== null && isOpenTask(now)) return;
  await countLateTokens(context, claim, group, tokens);
  throw new TaskEnded();
};
