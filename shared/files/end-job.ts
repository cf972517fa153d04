import type { Item } from '../db/contracts.ts';
import { dueAttributes } from '../db/due.ts';
import { type EventRecorder, fileCompleted, fileFailed, fillSlot, maxSparseTextCharacters } from '../events/index.ts';
import type { IndexLog } from '../indexes/index.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { headOf, lengthOf } from '../kernel/text.ts';
import type { ErrorReason } from '../pipeline/processing.ts';
import type { FileWriter } from './contracts.ts';
import { endedWithoutContent, isOpen, needsCleanup } from './job-state.ts';
import { toProcessing } from './present.ts';
import { addressOfJob, type JobAddress, type JobRecord, type TaskRecord, toJobRecord } from './record.ts';
import type { JobErrorCode } from './schemas.ts';

/*
 * Every end of a job is here: completed, failed, cancelled, expired and superseded. `job-state.ts` has the table of the
 * allowed changes.
 */

interface CancelDeps {
  readonly files: FileWriter;
  readonly log: IndexLog;
}

/** Capabilities that completing a job needs. */
interface CompleteDeps {
  readonly files: FileWriter;
  readonly events: EventRecorder;
}

type FailDeps = CancelDeps & CompleteDeps;

/** Why the service cancels a job. */
interface CancelReason {
  readonly error: string;
  readonly code: Extract<JobErrorCode, 'key_revoked'>;
}

/** Row counts of a job that ends without content. */
const noRows = { chunks_written: 0, vectors_written: 0 } as const;

/**
 * Ends the tasks of a job that has ended without content. If the job had not begun, its tasks were never sent and are
 * removed, in line with its `tasks_total` of 0.
 */
const endTasks = (files: FileWriter, job: JobRecord, at: string): Promise<void> => {
  const { organizationId, id, status, error, tasksTotal } = job;
  if (tasksTotal === 0) return files.removeTasks(organizationId, id);
  return files.closeTasks(organizationId, id, { status: status === 'cancelled' ? 'cancelled' : 'failed', at, error });
};

/** Ends tasks that a planning run added after the job's end; removes them if the job is gone. */
export const endLateTasks = async (
  files: FileWriter,
  address: JobAddress,
  job: JobRecord | null,
  at: string,
): Promise<void> => {
  if (job === null) await files.removeTasks(address.organizationId, address.jobId);
  else if (endedWithoutContent(job)) await endTasks(files, job, at);
};

/**
 * Requests in the log of the index the removal of every row of a job that ended without content, and the count of its usage.
 * Rows of the job that arrive later find it ended and are dropped.
 */
export const requestRowRemoval = async (log: IndexLog, job: JobRecord): Promise<void> => {
  const index = { organizationId: job.organizationId, id: job.indexId, region: job.region };
  await log.append(index, { op: 'remove_job', job_id: job.id, counted: false }, `remove-${job.id}`);
};

/** Ends the tasks of a job that has ended without content, and requests the removal of its rows. Repeatable. */
export const cleanUpEndedJob = async (
  deps: { readonly files: FileWriter; readonly log: IndexLog },
  job: JobRecord,
  at: string,
): Promise<void> => {
  await endTasks(deps.files, job, at);
  await requestRowRemoval(deps.log, job);
};

/**
 * Records the pending events in the slots of a job and returns its item. A repeat after a crash finds them in the
 * stored item.
 */
const flush = async (deps: CompleteDeps, job: JobRecord, changed: Item | null): Promise<Item | null> => {
  const item = changed ?? (await deps.files.item(addressOfJob(job)));
  if (item !== null) await deps.events.flush(job.organizationId, item);
  return item;
};

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
export const completeJob = async (deps: CompleteDeps, job: JobRecord, clock: Clock): Promise<void> => {
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
  const set = {
    processing,
    chunks_written: chunksWritten,
    vectors_written: vectorsWritten,
    ...(error === null ? {} : { error }),
    ...fillSlot('terminal', event),
  };
  const item = await deps.files.transition(addressOfJob(job), status, at.toISOString(), { set });
  await flush(deps, job, item);
};

/**
 * Fails a job with its tasks, and requests the removal of its rows. Repeatable; a job that has ended with content is
 * unchanged.
 */
export const failJob = async (
  deps: FailDeps,
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
  const set = { error, error_code: reason.code, processing, ...noRows, ...fillSlot('terminal', event) };
  const changed = await deps.files.transition(addressOfJob(job), 'failed', at.toISOString(), { set });
  const item = await flush(deps, job, changed);
  const ended = item === null ? null : toJobRecord(item);
  if (ended !== null && needsCleanup(ended)) await cleanUpEndedJob(deps, ended, at.toISOString());
};

/** Cancels a job unless it has ended. Returns the present job; null if it is gone. */
const cancelOnly = async (
  files: FileWriter,
  job: JobRecord,
  at: string,
  reason: CancelReason | null = null,
): Promise<JobRecord | null> => {
  const processing = toProcessing(job, await files.tasks(job.organizationId, job.id), at);
  const set = { processing, ...noRows, ...(reason === null ? {} : { error: reason.error, error_code: reason.code }) };
  const remove = reason === null ? ['error'] : [];
  const address = addressOfJob(job);
  const item = (await files.transition(address, 'cancelled', at, { set, remove })) ?? (await files.item(address));
  return item === null ? null : toJobRecord(item);
};

/**
 * Cancels a job with its tasks, and removes its rows. False if it has ended otherwise or is just replacing another job.
 * A repeat completes what an earlier call left.
 * @param reason Why the service cancels it; null: a caller does.
 */
export const cancelJob = async (
  deps: CancelDeps,
  job: JobRecord,
  clock: Clock,
  reason: CancelReason | null = null,
): Promise<boolean> => {
  const at = clock.now().toISOString();
  const ended = await cancelOnly(deps.files, job, at, reason);
  if (ended?.status !== 'cancelled') return false;
  await cleanUpEndedJob(deps, ended, at);
  return true;
};

/** Error for a job that cannot be stopped because it is replacing another. */
export const replacementInProgress = (): AppError =>
  new AppError('conflict', 'The file is just replacing another one: repeat the request in a moment', {
    headers: { 'retry-after': '1' },
  });

/**
 * Cancels a job that has not ended, or completes an earlier cancellation. Throws 409 if it is just replacing another
 * job.
 */
export const cancelIfOpen = async (deps: CancelDeps, job: JobRecord, clock: Clock): Promise<void> => {
  if (!isOpen(job) && !needsCleanup(job)) return;
  if (await cancelJob(deps, job, clock)) return;
  const now = await deps.files.get(addressOfJob(job));
  if (now !== null && isOpen(now)) throw replacementInProgress();
};

/** Ends a job of a deleted index with its tasks, so that it uses nothing more. A job that is replacing another keeps its status. */
export const closeJob = async (files: FileWriter, job: JobRecord, at: string): Promise<void> => {
  if (isOpen(job)) await cancelOnly(files, job, at);
  await files.closeTasks(job.organizationId, job.id, { status: 'cancelled', at, error: null });
};

/** Ends a job whose file was never uploaded. */
export const expireJob = async (files: FileWriter, address: JobAddress, at: string): Promise<void> => {
  await files.transition(address, 'expired', at, { remove: dueAttributes });
};

/** Ends a job whose rows another has replaced. The successor is recorded even if the job is gone. */
export const supersedeJob = async (
  files: FileWriter,
  address: JobAddress,
  byJobId: string,
  at: string,
): Promise<void> => {
  await files.noteSuccessor(address, byJobId);
  await files.transition(address, 'superseded', at, { set: { replaced_by_job_id: byJobId } });
};
