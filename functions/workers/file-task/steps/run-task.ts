import { failJob, type TaskMessage } from '../../../../shared/files/index.ts';
import { AppError } from '../../../../shared/kernel/errors.ts';
import { headOf } from '../../../../shared/kernel/text.ts';
import { planOf } from '../../../../shared/organizations/index.ts';
import type { ErrorReason } from '../../../../shared/pipeline/processing.ts';
import { chunkSections } from '../../../../shared/platform/extract/chunk.ts';
import { chunkLimitsOf } from '../../../../shared/platform/extract/chunk-options.ts';
import type { Row } from '../../../../shared/platform/engine/port.ts';
import { type Section, UnreadableFile } from '../../../../shared/platform/extract/port.ts';
import { UnknownModel } from '../../../../shared/platform/models/port.ts';
import { StillTranscribing } from '../../../../shared/platform/transcribe/port.ts';
import { requireRoomForVectors } from '../../../../shared/usage/index.ts';
import { embedChunks, handOver, toRows } from './hand-over.ts';
import { CreditsExhausted, settleCredits } from './hold-credits.ts';
import { readTask } from './read-task.ts';
import { fromStated } from './stated-rows.ts';
import { type Claim, claimTask, TaskEnded, type Working } from './working.ts';

const mostDiagnosticCharacters = 500;

/** Why the job ends at once; null where another attempt may help. */
const finalReason = (error: unknown): ErrorReason | null => {
  if (error instanceof CreditsExhausted) return 'multimodal_credit_limit_reached';
  const isFull = error instanceof AppError && error.code === 'plan_limit_reached';
  return isFull || error instanceof UnreadableFile || error instanceof UnknownModel ? 'processing_failed' : null;
};

type Made = { readonly rows: readonly Row[]; readonly tokens: number };

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
): Promise<Made> => {
  const chunks = chunkSections(sections, limits);
  await requireRoom(working, claim, chunks.length);
  const { vectors, tokens } = await embedChunks(working, claim, chunks);
  return { rows: toRows(claim, chunks, vectors), tokens };
};

const work = async (working: Working, claim: Claim): Promise<void> => {
  // What would fail in any case fails before reading costs credits.
  const limits = chunkLimitsOf(claim.job.metadata);
  working.deps.embedders(claim.index.embeddingModel);
  const { sections, warning } = await readTask(working, claim);
  const stated = sections.flatMap(({ row }) => row ?? []);
  if (stated.length > 0) await requireRoom(working, claim, stated.length);
  const { rows, tokens } =
    stated.length > 0 ? await fromStated(working, claim, stated) : await fromText(working, claim, sections, limits);
  await handOver(working, claim, { rows, tokens, warning: headOf(warning, mostDiagnosticCharacters) });
};

/** Notes a failed attempt; true where it ended the job. */
const fail = async ({ deps, run }: Working, { address, job, trace }: Claim, error: unknown): Promise<boolean> => {
  const code = finalReason(error);
  const message = code === null || !(error instanceof Error) ? 'The task failed and is tried again' : error.message;
  await deps.files.noteFailure(address, trace, headOf(message, mostDiagnosticCharacters));
  if (code === null) return false;
  await failJob(deps, job, { error: message, code }, run.clock);
  return true;
};

/** A model may need as long as this for a recording, from the start of its job on. */
const transcriptionMs = 6 * 3_600_000;
const transcriptionPauseSeconds = 60;

/** Lets a task whose recording a model still works on come again, which is no failure; false where it has taken too long. */
const comesAgain = async ({ deps, run }: Working, claim: Claim, message: TaskMessage): Promise<boolean> => {
  const { address, job, trace } = claim;
  const runningMs = run.clock.now().getTime() - Date.parse(job.startedAt ?? job.createdAt);
  if (runningMs > transcriptionMs) return false;
  await deps.files.noteFailure(address, trace, 'A recording is still being transcribed');
  await deps.tasks.sendLater(job.region, message, transcriptionPauseSeconds);
  return true;
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
    if (error instanceof StillTranscribing && (await comesAgain(working, claim, message))) return;
    if (!(error instanceof TaskEnded) && !(await fail(working, claim, error))) throw error;
  }
  await settleCredits(working, message);
};
