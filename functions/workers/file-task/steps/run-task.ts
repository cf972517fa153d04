import {
  addressOfJob,
  batchKey,
  endedWithoutContent,
  failJob,
  isOpen,
  keepsOriginal,
  partSectionsKey,
  type TaskMessage,
  taskTextKey,
} from '../../../../shared/files/index.ts';
import { requireCaughtUp, requireNotFull, type RowWrite } from '../../../../shared/indexes/index.ts';
import { textFormats } from '../../../../shared/kernel/content-keys.ts';
import { dayMs, minuteMs } from '../../../../shared/kernel/durations.ts';
import { AppError } from '../../../../shared/kernel/errors.ts';
import { modelWait } from '../../../../shared/kernel/log.ts';
import { headOf } from '../../../../shared/kernel/text.ts';
import { planOf } from '../../../../shared/organizations/index.ts';
import type { ErrorReason } from '../../../../shared/pipeline/processing.ts';
import {
  cutSections,
  type ChunkLimits,
  chunkLimitsOf,
  composeText,
  type CutPart,
  limitsOfChunking,
  placeChunks,
  type FileText,
  type Section,
  type StoredRow,
  UnreadableFile,
  StillTranscribing,
} from '#documents';
import { ModelFault } from '../../../../shared/platform/models/call-model.ts';
import { UnknownModel } from '../../../../shared/platform/models/port.ts';
import { requireVectorQuota } from '../../../../shared/usage/index.ts';
import { submitRows, toRows } from './submit-rows.ts';
import { explainFailure } from './explain-failure.ts';
import { QuotaExhausted, settleReservations } from './reserve-quota.ts';
import { modelBackoffSeconds } from './model-backoff.ts';
import { OutOfTime } from './read-media.ts';
import { readTask } from './read-task.ts';
import { partOfTask, storeText } from './store-text.ts';
import { toSuppliedRows } from './supplied-rows.ts';
import type { TaskContext } from '../uses.ts';
import { type Claim, claimTask, TaskEnded } from './claim-task.ts';

const maxDiagnosticCharacters = 500;

/** Whether an index takes no rows for some seconds. */
const isBehind = (error: unknown): boolean => error instanceof AppError && error.code === 'rate_limited';

/** Returns the reason why a task waits and will continue; null for a failure. */
const waitReason = (error: unknown): string | null => {
  if (error instanceof StillTranscribing) return 'A recording is still being transcribed';
  if (isBehind(error)) return 'The index is adding recent rows to its table';
  if (error instanceof OutOfTime) return 'There are more pictures than one run can read';
  return error instanceof ModelFault && error.isTransient ? 'A model is unavailable or overloaded' : null;
};

/** Returns the final error of the job; null if another attempt may succeed. */
const finalReason = (error: unknown): { readonly error: string; readonly code: ErrorReason } | null => {
  const waitedFor = waitReason(error);
  if (waitedFor !== null)
    return { error: `${waitedFor}; the task gave up waiting after 24 hours`, code: 'processing_failed' };
  if (error instanceof QuotaExhausted) return { error: error.message, code: error.code };
  const isFull = error instanceof AppError && (error.code === 'plan_limit_reached' || error.code === 'index_full');
  return isFull || error instanceof UnreadableFile || error instanceof UnknownModel
    ? { error: error.message, code: 'processing_failed' }
    : null;
};

/** Throws 402 if the plan allows no more vectors, before a model computes them. */
const requireQuotaForRows = async ({ deps }: TaskContext, { job }: Claim, added: number): Promise<void> => {
  // The replaced rows are removed in the same commit.
  if (job.replacesJobId !== null) return;
  const { organizationId } = job;
  const plan = await planOf(deps.organizations, organizationId);
  await requireVectorQuota(deps.usage, { organizationId, plan }, added);
};

/** Rows of a task, and the text that they are from. */
interface Made {
  readonly rows: readonly RowWrite[];
  readonly text: FileText;
  /** Sections that were cut. Null: the file supplies the rows. */
  readonly part: CutPart | null;
}

const fromText = async (
  context: TaskContext,
  claim: Claim,
  sections: readonly Section[],
  limits: ChunkLimits | null,
): Promise<Made> => {
  const { chunking } = claim.index;
  const cut = cutSections(sections, limits ?? limitsOfChunking(chunking));
  const part = { ...partOfTask(claim), sections: cut.map(({ section }) => section), limits };
  const text = composeText(part.sections, part);
  const chunks = placeChunks(cut, text);
  await requireQuotaForRows(context, claim, chunks.length);
  const cutBy = limits === null ? chunking : 'file';
  const rows = await toRows(context, claim, chunks);
  return { rows: cutBy === null ? rows : rows.map((row) => ({ ...row, chunking: cutBy })), text, part };
};

const fromRows = async (
  context: TaskContext,
  claim: Claim,
  sections: readonly Section[],
  stated: readonly StoredRow[],
): Promise<Made> => {
  await requireQuotaForRows(context, claim, stated.length);
  const text = composeText(sections, partOfTask(claim));
  return { rows: await toSuppliedRows(context, claim, stated), text, part: null };
};

const work = async (context: TaskContext, claim: Claim): Promise<void> => {
  // Checks that fail in any case run before reading costs credits.
  const limits = chunkLimitsOf(claim.job.metadata);
  context.deps.embedders(claim.index.embeddingModel);
  // A replacement removes rows in the commit that adds its own.
  if (claim.job.replacesJobId === null) requireNotFull(context.deps.indexes, claim.index);
  requireCaughtUp(claim.index);
  const { sections, warning } = await readTask(context, claim);
  const stated = sections.flatMap(({ row }) => row ?? []);
  const { rows, text, part } =
    stated.length > 0
      ? await fromRows(context, claim, sections, stated)
      : await fromText(context, claim, sections, limits);
  const stored = await storeText(context, claim, text, part);
  await submitRows(context, claim, { rows, text: stored, warning: headOf(warning, maxDiagnosticCharacters) });
};

/** Milliseconds since the task began. */
const runningMsOf = ({ run }: TaskContext, { task }: Claim): number =>
  run.clock.now().getTime() - Date.parse(task.startedAt ?? task.createdAt);

/** Log fields of a task that waits or has waited. Only the log states the model's response. */
const waitOf = (context: TaskContext, claim: Claim, error: unknown) => ({
  organization_id: claim.job.organizationId,
  index_id: claim.job.indexId,
  job_id: claim.job.id,
  ordinal: claim.task.ordinal,
  attempt: claim.task.attemptCount,
  [modelWait.minutes]: Math.floor(runningMsOf(context, claim) / minuteMs),
  status: error instanceof ModelFault ? error.status : null,
  error,
});

/** Records a failed attempt; true if it ended the job. */
const fail = async (context: TaskContext, claim: Claim, error: unknown): Promise<boolean> => {
  const { deps, run } = context;
  const { address, job, trace } = claim;
  const reason = finalReason(error);
  const message = reason?.error ?? explainFailure(error, trace);
  await deps.files.noteFailure(address, trace, headOf(message, maxDiagnosticCharacters));
  if (reason === null) return false;
  if (waitReason(error) !== null) run.log.warn('task.model_wait.exhausted', waitOf(context, claim, error));
  await failJob(deps, job, reason, run.clock);
  return true;
};

/** Maximum wait for models since the start of the task. A small daily quota still allows many pages. */
const maxWaitMs = dayMs;

/** Seconds after which a task whose index is behind looks again. */
const catchUpSeconds = 15;

/** Delay in seconds before a waiting task runs again. */
const requeueDelaySeconds = ({ task }: Claim, error: unknown): number => {
  if (error instanceof OutOfTime) return 0;
  if (isBehind(error)) return catchUpSeconds;
  // A running transcription does not occupy the model for others, so it is polled at a constant rate.
  return modelBackoffSeconds(error instanceof StillTranscribing ? 1 : task.attemptCount);
};

/** Requeues a waiting task, which is not a failure; false if it failed or has waited too long. */
const requeueIfWaiting = async (
  context: TaskContext,
  claim: Claim,
  message: TaskMessage,
  error: unknown,
): Promise<boolean> => {
  const { deps, run } = context;
  const { address, job, trace } = claim;
  const reason = waitReason(error);
  // Every run reads at least one picture, so the runs end.
  if (reason === null || (runningMsOf(context, claim) > maxWaitMs && !(error instanceof OutOfTime))) return false;
  // A running transcription, or many pictures, are normal and not logged.
  if (error instanceof ModelFault) run.log.warn(modelWait.message, waitOf(context, claim, error));
  await deps.files.noteFailure(address, trace, reason);
  await deps.tasks.sendLater(job.region, message, requeueDelaySeconds(claim, error));
  return true;
};

/**
 * Stores the trace of a run whose task has ended meanwhile, and deletes its stored objects, which the end of the task
 * may have missed. If the job has content they stay, since its rows may be uncommitted.
 */
const discardEndedWork = async ({ deps }: TaskContext, { address, job, task, index, trace }: Claim): Promise<void> => {
  await deps.files.noteEnd(address, trace);
  const now = await deps.files.get(addressOfJob(job));
  if (now === null || endedWithoutContent(now)) await deps.stored.deleteAll(index.region, batchKey(job, task.ordinal));
  // A text is kept and counted with its original.
  if (now !== null && (isOpen(now) || keepsOriginal(now))) return;
  for (const format of textFormats) await deps.stored.deleteAll(index.region, taskTextKey(job, task.ordinal, format));
  await deps.stored.deleteAll(index.region, partSectionsKey(job, { jobId: job.id, ordinal: task.ordinal }));
};

/**
 * Runs one task. A failure is recorded in the task and thrown, so that the queue redelivers the message. When a message
 * is done, the reservations of the task are settled.
 */
export const runTask = async (context: TaskContext, message: TaskMessage): Promise<void> => {
  const claim = await claimTask(context, message);
  try {
    if (claim !== null) await work(context, claim);
  } catch (error) {
    if (claim === null) throw error;
    // Its reservations remain.
    if (await requeueIfWaiting(context, claim, message, error)) return;
    if (error instanceof TaskEnded) await discardEndedWork(context, claim);
    else if (!(await fail(context, claim, error))) throw error;
  }
  await settleReservations(context, message);
};
