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
import type { ErrorReason } from '../../../../shared/pipeline/processing.ts';
import { maxTokensOf, type QuotaKind, quotaTooSmall } from '../../../../shared/usage/index.ts';
import type { Working } from '../uses.ts';
import { type Claim, phaseOf } from './claim-task.ts';

/** The month's quota is too small for a task; the message is shown to the user. */
export class QuotaExhausted extends Error {
  override readonly name = 'QuotaExhausted';
  readonly code: ErrorReason;

  constructor(kind: QuotaKind, message: string) {
    super(message);
    this.code = kind === 'tokens' ? 'processing_failed' : 'multimodal_credit_limit_reached';
  }
}

const limitKeys = {
  ocr: 'ocr_credits_per_month',
  audio: 'audio_credits_per_month',
  tokens: 'embedding_tokens_per_month',
} as const;

/** Reserves from the month's quota before a model is called. Throws `QuotaExhausted`: then the model must not be called. */
const hold = async ({ deps }: Working, { address, job, task }: Claim, kind: QuotaKind, needed: number) => {
  const limit = plans[await planOf(deps.organizations, address.organizationId)].limits[limitKeys[kind]];
  const reservation = await deps.quota.reserve(quotaTaskOf({ ...address, id: task.id }), kind, needed, limit);
  if (reservation.outcome !== 'refused') return;
  const who = job.tasksTotal > 1 ? `Task ${task.ordinal} of the file` : 'The file';
  throw new QuotaExhausted(kind, quotaTooSmall(who, kind, { needed, left: reservation.left, limit }));
};

/** Reserves the tokens of texts that the embedding model is about to read. Throws `QuotaExhausted`. */
export const holdTokens = (working: Working, claim: Claim, texts: readonly string[]): Promise<void> =>
  hold(working, claim, 'tokens', maxTokensOf(texts));

/** Reserves what the pictures and recordings of a task cost. Throws `QuotaExhausted`. */
export const holdCredits = async (working: Working, claim: Claim, cost: TaskCredits): Promise<void> => {
  if (cost.ocr + cost.audio === 0) return;
  const now = await working.deps.files.taskAt(claim.address);
  // Another run of the same task may have saved its work, and then all is charged.
  if (now === null || now.saved) return;
  await timed(phaseOf(working, claim), 'multimodal.credits', async () => {
    for (const kind of ['ocr', 'audio'] as const) if (cost[kind] > 0) await hold(working, claim, kind, cost[kind]);
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
