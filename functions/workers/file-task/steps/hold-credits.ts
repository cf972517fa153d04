import {
  quotaTaskOf,
  quotaUsedBy,
  noCredits,
  taskAddressIn,
  type TaskCredits,
  type TaskMessage,
} from '../../../../shared/files/index.ts';
import { plans } from '../../../../shared/kernel/plans.ts';
import { planOf } from '../../../../shared/organizations/index.ts';
import { timed } from '../../../../shared/pipeline/steps.ts';
import { quotaTooSmall } from '../../../../shared/usage/index.ts';
import type { Working } from '../uses.ts';
import { type Claim, phaseOf } from './claim-task.ts';

/** The month's allowance has too few credits left; the message is shown to the user. */
export class CreditsExhausted extends Error {
  override readonly name = 'CreditsExhausted';
}

const limitKeys = { ocr: 'ocr_credits_per_month', audio: 'audio_credits_per_month' } as const;

/**
 * Takes what the pictures and recordings of a task will cost out of the month's allowance, before any model is called.
 * Throws `CreditsExhausted`, and then no model may be.
 */
export const holdCredits = async (working: Working, claim: Claim, cost: TaskCredits): Promise<void> => {
  const { deps } = working;
  const { address, job, task } = claim;
  if (cost.ocr + cost.audio === 0) return;
  const now = await deps.files.taskAt(address);
  // Another run of the same task may have saved its work, and then all is charged.
  if (now === null || now.saved) return;
  const who = job.tasksTotal > 1 ? `Task ${task.ordinal} of the file` : 'The file';
  await timed(phaseOf(working, claim), 'multimodal.credits', async () => {
    const { limits } = plans[await planOf(deps.organizations, address.organizationId)];
    for (const kind of ['ocr', 'audio'] as const) {
      const [needed, limit] = [cost[kind], limits[limitKeys[kind]]];
      if (needed === 0) continue;
      const reservation = await deps.quota.reserve(quotaTaskOf({ ...address, id: task.id }), kind, needed, limit);
      if (reservation.outcome === 'refused')
        throw new CreditsExhausted(quotaTooSmall(who, kind, { needed, left: reservation.left, limit }));
    }
    return { result: undefined, attributes: { total_credits: cost.ocr + cost.audio } };
  });
};

/**
 * Gives back what a task holds and has not used. Called whenever a message of the task is done with, so that nothing
 * stays held, however the task ended.
 */
export const settleCredits = async ({ deps }: Working, message: TaskMessage): Promise<void> => {
  const address = taskAddressIn(message);
  await deps.quota.settle(quotaTaskOf({ ...address, id: message.task_id }), async () => {
    return quotaUsedBy(await deps.files.taskAt(address));
  });
};

/** What a task will cost at most. */
export const totalCost = (costs: readonly TaskCredits[]): TaskCredits =>
  costs.reduce(
    (sum, { ocr, audio, audioSeconds }) => ({
      ocr: sum.ocr + ocr,
      audio: sum.audio + audio,
      audioSeconds: sum.audioSeconds + audioSeconds,
    }),
    noCredits,
  );
