import type { Item } from '../db/contracts.ts';
import type { IndexLog } from '../indexes/index.ts';
import type { Clock } from '../kernel/clock.ts';
import { headOf, lengthOf } from '../kernel/text.ts';
import type { EventRecorder } from '../events/index.ts';
import { fileCompleted, fileFailed, fillSlot, maxSparseTextCharacters } from '../events/index.ts';
import { toProcessing } from './present.ts';
import { cleanUpEndedJob, needsCleanup } from './ended-jobs.ts';
import { addressOfJob, type JobRecord, type TaskRecord, toJobRecord } from './record.ts';
import type { FileWriter } from './contracts.ts';
import type { ErrorReason } from '../pipeline/processing.ts';

/** Capabilities that ending a job needs. */
export interface FinishDeps {
  readonly files: FileWriter;
  readonly events: EventRecorder;
}

/** Maximum characters of diagnostic text in a job and its event. */
const maxErrorCharacters = 1_000;

const indexedText = (tasks: readonly TaskRecord[]): { readonly text: string; readonly truncated: boolean } => {
  const all = tasks
    .map(({ sparseText }) => sparseText)
    .filter((text) => text !== '')
    .join('\n');
  const text = headOf(all, maxSparseTextCharacters);
  const isCut = ({ sparseText, sparseLength }: TaskRecord): boolean => sparseLength > lengthOf(sparseText);
  return { text, truncated: text.length < all.length || tasks.some(isCut) };
};

/** Warnings of planning and tasks about unread content, each sentence once; null if there are none. */
const warningOf = ({ note }: JobRecord, tasks: readonly TaskRecord[], isEmpty: boolean): string | null => {
  const warnings = new Set([note, ...tasks.map(({ error }) => error ?? '')].filter((warning) => warning !== ''));
  if (warnings.size === 0) return isEmpty ? 'No text was found in the file.' : null;
  return headOf([...warnings].join(' '), maxErrorCharacters);
};

/**
 * Completes a job whose tasks are all committed. Status, figures and event are written in one update. A concurrent
 * second call changes nothing, but makes sure that the event is recorded.
 */
export const completeJob = async (deps: FinishDeps, job: JobRecord, clock: Clock): Promise<void> => {
  const tasks = await deps.files.tasks(job.organizationId, job.id);
  const at = clock.now();
  const vectorsWritten = tasks.reduce((sum, task) => sum + task.vectorsWritten, 0);
  const chunksWritten = tasks.reduce((sum, task) => sum + task.chunksWritten, 0);
  const status = vectorsWritten === 0 ? 'completed_with_warnings' : 'completed';
  const processing = toProcessing(job, tasks, at.toISOString());
  const { text, truncated } = indexedText(tasks);
  const event = fileCompleted({
    at,
    organizationId: job.organizationId,
    job: {
      id: job.id,
      index_id: job.indexId,
      filename: job.filename,
      status,
      vectors_written: vectorsWritten,
      sparse_text: text,
      sparse_text_truncated: truncated,
    },
    processing,
  });
  const error = warningOf(job, tasks, vectorsWritten === 0);
  const completion = { status, processing, chunksWritten, vectorsWritten, error, at: at.toISOString() } as const;
  const item = await deps.files.complete(addressOfJob(job), completion, fillSlot('terminal', event));
  await flush(deps, job, item);
};

/**
 * Fails a job with its tasks, and requests the removal of its rows. Repeatable; a job that has ended with content is
 * unchanged.
 */
export const failJob = async (
  deps: FinishDeps & { readonly log: IndexLog },
  job: JobRecord,
  reason: { readonly error: string; readonly code: ErrorReason },
  clock: Clock,
): Promise<void> => {
  const tasks = await deps.files.tasks(job.organizationId, job.id);
  const at = clock.now();
  const error = headOf(reason.error, maxErrorCharacters);
  const processing = toProcessing(job, tasks, at.toISOString());
  const event = fileFailed({
    at,
    organizationId: job.organizationId,
    job: { id: job.id, index_id: job.indexId, filename: job.filename, error, error_code: reason.code },
    processing,
  });
  const failure = { error, code: reason.code, processing, at: at.toISOString() };
  const changed = await deps.files.fail(addressOfJob(job), failure, fillSlot('terminal', event));
  const item = await flush(deps, job, changed);
  const ended = item === null ? null : toJobRecord(item);
  if (ended !== null && needsCleanup(ended)) await cleanUpEndedJob(deps, ended, at.toISOString());
};

/**
 * Records the pending events in the slots of a job and returns its item. A repeat after a crash finds them in the
 * stored item.
 */
const flush = async (deps: FinishDeps, job: JobRecord, changed: Item | null): Promise<Item | null> => {
  const item = changed ?? (await deps.files.item(addressOfJob(job)));
  if (item !== null) await deps.events.flush(job.organizationId, item);
  return item;
};
