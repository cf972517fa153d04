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
import type { TaskContext } from '../uses.ts';
import { type Claim, phaseOf } from './claim-task.ts';

/** Error: the monthly quota is too small for a task. The message is for the user. */
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

/** Reserves monthly quota before a model is called. Throws `QuotaExhausted`; the model must not be called then. */
const reserve = async ({ deps }: TaskContext, { address, job, task }: Claim, kind: QuotaKind, needed: number) => {
  const limit = plans[await planOf(deps.organizations, address.organizationId)].limits[limitKeys[kind]];
  const reservation = await deps.quota.reserve(quotaTaskOf({ ...address, id: task.id }), kind, needed, limit);
  if (reservation.outcome !== 'refused') return;
  const subject = job.tasksTotal > 1 ? `Task ${task.ordinal} of the file` : 'The file';
  throw new QuotaExhausted(kind, quotaTooSmall(subject, kind, { needed, left: reservation.left, limit }));
};

/** Reserves the tokens of texts before the embedding model reads them. Throws `QuotaExhausted`. */
export const reserveTokens = (context: TaskContext, claim: Claim, texts: readonly string[]): Promise<void> =>
  reserve(context, claim, 'tokens', maxTokensOf(texts));

/** Reserves the credits of a task's pictures and recordings. Throws `QuotaExhausted`. */
export const reserveCredits = async (context: TaskContext, claim: Claim, cost: TaskCredits): Promise<void> => {
  if (cost.ocr + cost.audio === 0) return;
  const now = await context.deps.files.taskAt(claim.address);
  // If another run of the task has saved its work, everything is already charged.
  if (now === null || now.saved) return;
  await timed(phaseOf(context, claim), 'multimodal.credits', async () => {
    for (const kind of ['ocr', 'audio'] as const) if (cost[kind] > 0) await reserve(context, claim, kind, cost[kind]);
    return { result: undefined, attributes: { total_credits: cost.ocr + cost.audio } };
  });
};

/**
 * Releases the unused reservations of a task. Called at the end of every message of the task, so that no reservation
 * remains, however the task ended.
 */
export const settleReservations = async ({ deps }: TaskContext, message: TaskMessage): Promise<void> => {
  const address = taskAddressIn(message);
  await deps.quota.settle(quotaTaskOf({ ...address, id: message.task_id }), async () => {
    return quotaUsedBy(await deps.files.taskAt(address));
  });
};

/** Maximum cost of a task. */
export const totalCost = (costs: readonly TaskCredits[]): TaskCredits =>
  costs.reduce(
    (sum, { ocr, audio, audioSeconds }) => ({
      ocr: sum.ocr + ocr,
      audio: sum.audio + audio,
      audioSeconds: sum.audioSeconds + audioSeconds,
    }),
    noCredits,
  );
