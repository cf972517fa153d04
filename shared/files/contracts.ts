import type { Attributes, Item, Key } from '../db/contracts.ts';
import type { EventRecorder } from '../events/index.ts';
import type { ErrorReason, Processing } from '../pipeline/processing.ts';
import type { TraceStep } from '../pipeline/steps.ts';
import type { Overdue } from './overdue.ts';
import type { JobAddress, JobRecord, TaskAddress, TaskCredits, TaskRecord } from './record.ts';
import type { JobStatus } from './schemas.ts';

export interface FileReader {
  get(address: JobAddress): Promise<JobRecord | null>;
  /** Newest first, without those whose deletion has begun unless `withRemoved`. */
  list(
    organizationId: string,
    indexId: string,
    page: { readonly limit: number; readonly after: string | null; readonly withRemoved?: boolean },
  ): Promise<{ readonly jobs: readonly JobRecord[]; readonly next: string | null }>;
  /** Number of jobs whose content stands in an index. */
  countCompleted(organizationId: string, indexId: string): Promise<number>;
  /** Keys of jobs or tasks that should have moved on by `until`, longest waiting first. */
  overdue(kind: Overdue, until: Date, limit: number): Promise<readonly Key[]>;
  task(key: Key): Promise<TaskRecord | null>;
  taskAt(address: TaskAddress): Promise<TaskRecord | null>;
  /** In order of ordinal. */
  tasks(organizationId: string, jobId: string): Promise<readonly TaskRecord[]>;
  /** What the tasks of a job have done, without the text that they keep. */
  traces(organizationId: string, jobId: string): Promise<readonly Pick<TaskRecord, 'id' | 'trace'>[]>;
}

/** What the extraction of a task came to; kept with the task before its rows go to the log. */
export interface TaskWork {
  readonly trace: readonly TraceStep[];
  readonly sparseText: string;
  readonly sparseLength: number;
  /** What of the task's content could not be read, in sentences; empty where all was. */
  readonly warning: string;
}

export interface Completion {
  readonly status: Extract<JobStatus, 'completed' | 'completed_with_warnings'>;
  readonly processing: Processing;
  readonly chunksWritten: number;
  readonly vectorsWritten: number;
  /** What of the file could not be read; null where all was. */
  readonly error: string | null;
  readonly at: string;
}

export interface Failure {
  readonly error: string;
  readonly code: ErrorReason;
  readonly processing: Processing;
  readonly at: string;
}

/** How a task ends with a job that has no content. */
export interface TaskEnd {
  readonly status: 'failed' | 'cancelled';
  readonly at: string;
  readonly error: string | null;
}

/** Every change is one conditional update: null or false where the job or task had moved on already. */
export interface FileWriter extends FileReader {
  /** False where it is there already. */
  add(job: JobRecord): Promise<boolean>;
  /** `awaiting_upload` → `expired`. */
  expire(address: JobAddress, at: string): Promise<void>;
  /** Puts off the next look at a job that waits for something; false where it does not any more. */
  remindJob(address: JobAddress, at: string): Promise<boolean>;
  /** Notes that what an ended job used is in the books, and what that is. */
  markCounted(address: JobAddress, processing: Processing): Promise<void>;
  /** `completed | completed_with_warnings` → `superseded`, by the job that took its place; remembered where it is gone. */
  supersede(address: JobAddress, byJobId: string): Promise<void>;
  /** Id of the job that took the place of another, which may be gone; null where none has. */
  successor(address: JobAddress): Promise<string | null>;
  /**
   * Notes that the rows of a job are about to take the place of another's, after which it can be neither cancelled nor
   * failed: the other's would be lost. May be repeated; false where it has ended without them.
   */
  seal(address: JobAddress): Promise<boolean>;
  /** Gives up on rows that could not take the place of another's. */
  unseal(address: JobAddress): Promise<void>;
  /** Hides a job from its callers for good, and notes first that it is being deleted, and whose receipt tells that its rows are. */
  beginRemoval(address: JobAddress, asked: { readonly receiptId: string; readonly at: string }): Promise<void>;
  /** Puts off the next look at such a note. The receipt to wait for; null where there is no note any more. */
  remindRemoval(address: JobAddress, at: string): Promise<string | null>;
  /** Ends the looks at it. */
  forgetRemoval(address: JobAddress): Promise<void>;
  /** Removes the tasks of a job that is gone, or has ended before it began. */
  removeTasks(organizationId: string, jobId: string): Promise<void>;
  /**
   * Removes a job and its tasks for good, after its events, of which the text of its file goes with it. Throws 503 where
   * they cannot be recorded now.
   */
  remove(address: JobAddress, events: EventRecorder): Promise<void>;
  /** Removes every job of an index, as `remove` does. */
  removeAll(organizationId: string, indexId: string, events: EventRecorder): Promise<void>;
  /**
   * `awaiting_upload` → `queued`, once the file is there; an import waits for its file in `queued`. The job as it is now;
   * null where it is gone.
   */
  enqueue(address: JobAddress, seen: { readonly sizeBytes: number; readonly at: string }): Promise<JobRecord | null>;
  /** Says why the file of a job that waits for it is not there yet; it is said no more once it is. */
  noteFault(address: JobAddress, error: string): Promise<void>;
  /** Notes an invocation that worked on the job as a whole. */
  noteInvocation(address: JobAddress, invocationId: string): Promise<JobRecord | null>;
  addTask(task: TaskRecord): Promise<void>;
  /** `queued` → `processing`, with the event in the same change. */
  begin(
    address: JobAddress,
    plan: {
      readonly tasksTotal: number;
      readonly foundType?: string | null;
      readonly note: string;
      readonly at: string;
      readonly event: Attributes;
    },
  ): Promise<Item | null>;
  /** `queued | running` → `running` for one more attempt. */
  startTask(task: TaskAddress, run: { readonly invocationId: string; readonly at: string }): Promise<TaskRecord | null>;
  /** Notes an invocation that is about to write the rows of a task; false where the task is gone. */
  noteWriter(task: TaskAddress, invocationId: string): Promise<boolean>;
  /** Puts off the next look at an open task; false where it is not open any more. */
  remindTask(task: TaskAddress, at: string): Promise<boolean>;
  /**
   * Counts what a model read of one picture or recording, once for each name. The task as it is now; null where it is
   * not open any more, and then nothing is counted.
   */
  charge(task: TaskAddress, name: string, used: TaskCredits): Promise<TaskRecord | null>;
  /**
   * Counts what a model read of one group of texts, once for each group; for a task that has ended only where it is `late`,
   * because what that has used may be in the books. The task as it is now; null where it is gone.
   */
  noteTokens(
    task: TaskAddress,
    used: { readonly group: string; readonly tokens: number; readonly late: boolean },
  ): Promise<TaskRecord | null>;
  /** False where the task has ended. */
  saveWork(task: TaskAddress, work: TaskWork): Promise<boolean>;
  /** Keeps the trace and the reason of an attempt that failed. */
  noteFailure(task: TaskAddress, trace: readonly TraceStep[], error: string): Promise<void>;
  /** Keeps the trace of a run under which its task was ended; that of a task which is done stays. */
  noteEnd(task: TaskAddress, trace: readonly TraceStep[]): Promise<void>;
  /** `running` → `completed` once the rows are committed. */
  completeTask(
    task: TaskAddress,
    result: {
      readonly chunks: number;
      readonly vectors: number;
      readonly trace: readonly TraceStep[];
      readonly at: string;
    },
  ): Promise<void>;
  /** Sets the steps of a task anew; nothing where it is gone. */
  saveTrace(task: TaskAddress, trace: readonly TraceStep[]): Promise<void>;
  /** Counts a completed task into its job, once. */
  countTask(
    address: JobAddress,
    ordinal: number,
    result: { readonly chunks: number; readonly vectors: number },
  ): Promise<JobRecord | null>;
  complete(address: JobAddress, completion: Completion, event: Attributes): Promise<Item | null>;
  fail(address: JobAddress, failure: Failure, event: Attributes): Promise<Item | null>;
  /** Ends a job that has not ended. The job as it is now; null where it is gone. */
  cancel(address: JobAddress, end: { readonly processing: Processing; readonly at: string }): Promise<JobRecord | null>;
  /** Puts off the next look at a job that ended, or was about to end, without content; false where nobody looks at it. */
  remindEnd(address: JobAddress, at: string): Promise<boolean>;
  /** Ends the looks at it. */
  forgetEnd(address: JobAddress): Promise<void>;
  /** Ends the open tasks of a job that ended early; none of its tasks has rows any more. */
  closeTasks(organizationId: string, jobId: string, end: TaskEnd): Promise<void>;
  item(address: JobAddress): Promise<Item | null>;
}
