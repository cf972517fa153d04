import type { Item } from '../db/contracts.ts';
import type { IndexLog } from '../indexes/index.ts';
import type { Clock } from '../kernel/clock.ts';
import { headOf, lengthOf } from '../kernel/text.ts';
import type { EventRecorder } from '../events/index.ts';
import { fileCompleted, fileFailed, fillSlot, mostSparseCharacters } from '../events/index.ts';
import { toProcessing } from './present.ts';
import { closeEnded, isLeftOpen } from './close-ended.ts';
import { addressOfJob, type JobRecord, type TaskRecord, toJobRecord } from './record.ts';
import type { FileWriter } from './contracts.ts';
import type { ErrorReason } from '../pipeline/processing.ts';

/** What ending a job may touch. */
export interface FinishDeps {
  readonly files: FileWriter;
  readonly events: EventRecorder;
}

/** Most characters of diagnostic text that a job keeps and an event carries. */
const mostErrorCharacters = 1_000;

const indexedText = (tasks: readonly TaskRecord[]): { readonly text: string; readonly truncated: boolean } => {
  const all = tasks
    .map(({ sparseText }) => sparseText)
    .filter((text) => text !== '')
    .join('\n');
  const text = headOf(all, mostSparseCharacters);
  const isCut = ({ sparseText, sparseLength }: TaskRecord): boolean => sparseLength > lengthOf(sparseText);
  return { text, truncated: text.length < all.length || tasks.some(isCut) };
};

/** What planning and completed tasks say of content that was not read, each sentence once; null where all was. */
const warningOf = ({ note }: JobRecord, tasks: readonly TaskRecord[], isEmpty: boolean): string | null => {
  const warnings = new Set([note, ...tasks.map(({ error }) => error ?? '')].filter((warning) => warning !== ''));
  if (warnings.size === 0) return isEmpty ? 'No text was found in the file.' : null;
  return headOf([...warnings].join(' '), mostErrorCharacters);
};

/**
 * Ends a job whose every task is committed. The status, the figures and the event change together; whoever comes second
 * changes nothing but still sees to it that the event is recorded.
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
 * Ends a job that cannot be completed, with its tasks and whatever rows it has. May be repeated; a job that has ended with
 * content stays as it is.
 */
export const failJob = async (
  deps: FinishDeps & { readonly log: IndexLog },
  job: JobRecord,
  reason: { readonly error: string; readonly code: ErrorReason },
  clock: Clock,
): Promise<void> => {
  const tasks = await deps.files.tasks(job.organizationId, job.id);
  const at = clock.now();
  const error = headOf(reason.error, mostErrorCharacters);
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
  if (ended !== null && isLeftOpen(ended)) await closeEnded(deps, ended, at.toISOString());
};

/** Records what waits in the slots of a job, and gives its item; a repeat after a crash finds them as they are stored. */
const flush = async (deps: FinishDeps, job: JobRecord, changed: Item | null): Promise<Item | null> => {
  const item = changed ?? (await deps.files.item(addressOfJob(job)));
  if (item !== null) await deps.events.flush(job.organizationId, item);
  return item;
};
