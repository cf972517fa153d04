import { failJob, type TaskMessage } from '../../../../shared/files/index.ts';
import { headOf } from '../../../../shared/kernel/text.ts';
import type { ErrorReason } from '../../../../shared/pipeline/processing.ts';
import { chunkSections } from '../../../../shared/platform/extract/chunk.ts';
import { chunkLimitsOf } from '../../../../shared/platform/extract/chunk-options.ts';
import type { Row } from '../../../../shared/platform/engine/port.ts';
import { type Section, UnreadableFile } from '../../../../shared/platform/extract/port.ts';
import { UnknownModel } from '../../../../shared/platform/models/port.ts';
import { embedChunks, handOver, toRows } from './hand-over.ts';
import { CreditsExhausted, settleCredits } from './hold-credits.ts';
import { readTask } from './read-task.ts';
import { fromStated } from './stated-rows.ts';
import { type Claim, claimTask, TaskEnded, type Working } from './working.ts';

const mostDiagnosticCharacters = 500;

/** Why the job ends at once; null where another attempt may help. */
const finalReason = (error: unknown): ErrorReason | null => {
  if (error instanceof CreditsExhausted) return 'multimodal_credit_limit_reached';
  return error instanceof UnreadableFile || error instanceof UnknownModel ? 'processing_failed' : null;
};

type Made = { readonly rows: readonly Row[]; readonly tokens: number };

const fromText = async (
  working: Working,
  claim: Claim,
  sections: readonly Section[],
  limits: ReturnType<typeof chunkLimitsOf>,
): Promise<Made> => {
  const chunks = chunkSections(sections, limits);
  const { vectors, tokens } = await embedChunks(working, claim, chunks);
  return { rows: toRows(claim, chunks, vectors), tokens };
};

const work = async (working: Working, claim: Claim): Promise<void> => {
  // What would fail in any case fails before reading costs credits.
  const limits = chunkLimitsOf(claim.job.metadata);
  working.deps.embedders(claim.index.embeddingModel);
  const { sections, warning } = await readTask(working, claim);
  const stated = sections.flatMap(({ row }) => row ?? []);
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
    if (!(error instanceof TaskEnded) && !(await fail(working, claim, error))) throw error;
  }
  await settleCredits(working, message);
};
