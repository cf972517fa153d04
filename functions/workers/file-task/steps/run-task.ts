import { addressOfJob, batchKey, endedEmpty, failJob, type TaskMessage } from '../../../../shared/files/index.ts';
import { dayMs, minuteMs } from '../../../../shared/kernel/durations.ts';
import { AppError } from '../../../../shared/kernel/errors.ts';
import { modelWait } from '../../../../shared/kernel/log.ts';
import { headOf } from '../../../../shared/kernel/text.ts';
import { planOf } from '../../../../shared/organizations/index.ts';
import type { ErrorReason } from '../../../../shared/pipeline/processing.ts';
import { chunkSections } from '../../../../shared/platform/extract/chunk/chunk.ts';
import { chunkLimitsOf } from '../../../../shared/platform/extract/chunk/chunk-options.ts';
import type { Row } from '../../../../shared/platform/engine/port.ts';
import { type Section, UnreadableFile } from '../../../../shared/platform/extract/port.ts';
import { ModelFault } from '../../../../shared/platform/models/call-model.ts';
import { UnknownModel } from '../../../../shared/platform/models/port.ts';
import { StillTranscribing } from '../../../../shared/platform/transcribe/port.ts';
import { requireRoomForVectors } from '../../../../shared/usage/index.ts';
import { embedChunks, handOver, toRows } from './hand-over.ts';
import { explainFailure } from './explain-failure.ts';
import { QuotaExhausted, settleCredits } from './hold-credits.ts';
import { pauseForModel } from './pause-for-model.ts';
import { OutOfTime, readTask } from './read-task.ts';
import { fromStated } from './stated-rows.ts';
import type { Working } from '../uses.ts';
import { type Claim, claimTask, TaskEnded } from './claim-task.ts';

const mostDiagnosticCharacters = 500;

/** What a task waits for that has not failed: it goes on from where it stands. Null for a failure. */
const awaited = (error: unknown): string | null => {
  if (error instanceof StillTranscribing) return 'A recording is still being transcribed';
  if (error instanceof OutOfTime) return 'There are more pictures than one run can read';
  return error instanceof ModelFault && error.isTransient ? 'A model cannot be reached or has too much to do' : null;
};

/** How the job ends at once; null where another attempt may help. */
const finalReason = (error: unknown): { readonly error: string; readonly code: ErrorReason } | null => {
  const waitedFor = awaited(error);
  if (waitedFor !== null) return { error: `${waitedFor}; it was waited for in vain`, code: 'processing_failed' };
  if (error instanceof QuotaExhausted) return { error: error.message, code: error.code };
  const isFull = error instanceof AppError && error.code === 'plan_limit_reached';
  return isFull || error instanceof UnreadableFile || error instanceof UnknownModel
    ? { error: error.message, code: 'processing_failed' }
    : null;
};

/** Refuses more vectors than the plan allows, before a model makes them. Throws 402. */
const requireRoom = async ({ deps }: Working, { job }: Claim, added: number): Promise<void> => {
  // What it replaces leaves with the same commit.
  if (job.replacesJobId !== null) return;
  const { organizationId } = job;
  const plan = await planOf(deps.organizations, organizationId);
  await requireRoomForVectors(deps.usage, { organizationId, plan }, added);
};

const fromText = async (
  working: Working,
  claim: Claim,
  sections: readonly Section[],
  limits: ReturnType<typeof chunkLimitsOf>,
): Promise<readonly Row[]> => {
  const chunks = chunkSections(sections, limits);
  await requireRoom(working, claim, chunks.length);
  return toRows(claim, chunks, await embedChunks(working, claim, chunks));
};

const work = async (working: Working, claim: Claim): Promise<void> => {
  // What would fail in any case fails before reading costs credits.
  const limits = chunkLimitsOf(claim.job.metadata);
  working.deps.embedders(claim.index.embeddingModel);
  const { sections, warning } = await readTask(working, claim);
  const stated = sections.flatMap(({ row }) => row ?? []);
  if (stated.length > 0) await requireRoom(working, claim, stated.length);
  const rows =
    stated.length > 0 ? await fromStated(working, claim, stated) : await fromText(working, claim, sections, limits);
  await handOver(working, claim, { rows, warning: headOf(warning, mostDiagnosticCharacters) });
};

/** Since the task began. */
const runningMsOf = ({ run }: Working, { task }: Claim): number =>
  run.clock.now().getTime() - Date.parse(task.startedAt ?? task.createdAt);

/** What a line of the log says of a task that waits, or has waited; nothing else tells what the model answered. */
const waitOf = (working: Working, claim: Claim, error: unknown) => ({
  organization_id: claim.job.organizationId,
  index_id: claim.job.indexId,
  job_id: claim.job.id,
  ordinal: claim.task.ordinal,
  attempt: claim.task.attemptCount,
  [modelWait.minutes]: Math.floor(runningMsOf(working, claim) / minuteMs),
  status: error instanceof ModelFault ? error.status : null,
  error,
});

/** Notes a failed attempt; true where it ended the job. */
const fail = async (working: Working, claim: Claim, error: unknown): Promise<boolean> => {
  const { deps, run } = working;
  const { address, job, trace } = claim;
  const reason = finalReason(error);
  const message = reason?.error ?? explainFailure(error, trace);
  await deps.files.noteFailure(address, trace, headOf(message, mostDiagnosticCharacters));
  if (reason === null) return false;
  if (awaited(error) !== null) run.log.warn('a model was waited for in vain', waitOf(working, claim, error));
  await failJob(deps, job, reason, run.clock);
  return true;
};

/** Models are waited for as long as this, from the start of the task on: a day of a small quota reads many pages. */
const patienceMs = dayMs;

/** Seconds after which a task that waits comes again. */
const pauseOf = ({ task }: Claim, error: unknown): number => {
  if (error instanceof OutOfTime) return 0;
  // A recording that is being written down keeps nobody else from the model.
  return pauseForModel(error instanceof StillTranscribing ? 1 : task.attemptCount);
};

/** Lets a task that waits come again, which is no failure; false where it has failed, or has taken too long. */
const comesAgain = async (working: Working, claim: Claim, message: TaskMessage, error: unknown): Promise<boolean> => {
  const { deps, run } = working;
  const { address, job, trace } = claim;
  const reason = awaited(error);
  // Each run reads a picture at least, so that there is an end to them.
  if (reason === null || (runningMsOf(working, claim) > patienceMs && !(error instanceof OutOfTime))) return false;
  // That a recording is still written down, or pictures are many, is as it should be.
  if (error instanceof ModelFault) run.log.warn(modelWait.message, waitOf(working, claim, error));
  await deps.files.noteFailure(address, trace, reason);
  await deps.tasks.sendLater(job.region, message, pauseOf(claim, error));
  return true;
};

/**
 * Keeps what a run did for a task that has ended meanwhile, and removes what it has stored: whoever ended it may have looked
 * before. Of a job that has its rows it stays, since they may be on their way.
 */
const leaveEnded = async ({ deps }: Working, { address, job, task, index, trace }: Claim): Promise<void> => {
  await deps.files.noteEnd(address, trace);
  const now = await deps.files.get(addressOfJob(job));
  if (now === null || endedEmpty(now)) await deps.stored.deleteAll(index.region, batchKey(job, task.ordinal));
};

/**
 * Works on one task. A failure is kept with the task and thrown, so that the queue brings the message again; whenever a
 * message is done with, the credits that the task holds are settled.
 */
export const runTask = async (working: Working, message: TaskMessage): Promise<void> => {
  const claim = await claimTask(working, message);
  try {
    if (claim !== null) await work(working, claim);
  } catch (error) {
    if (claim === null) throw error;
    // What it holds stays held.
    if (await comesAgain(working, claim, message, error)) return;
    if (error instanceof TaskEnded) await leaveEnded(working, claim);
    else if (!(await fail(working, claim, error))) throw error;
  }
  await settleCredits(working, message);
};
