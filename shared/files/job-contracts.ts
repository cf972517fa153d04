import type { Attributes, Item } from '../db/contracts.ts';
import type { EventRecorder } from '../events/index.ts';
import type { ErrorReason, Processing } from '../pipeline/processing.ts';
import type { JobAddress, JobRecord, TaskAddress } from './record.ts';
import type { JobStatus } from './schemas.ts';

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

/** A job on its way to its first task. */
export interface JobOpening {
  item(address: JobAddress): Promise<Item | null>;
  /** False where it is there already. */
  add(job: JobRecord): Promise<boolean>;
  /**
   * `awaiting_upload` → `queued`, once the file is there; an import waits for its file in `queued`. The job as it is now;
   * null where it is gone.
   */
  enqueue(address: JobAddress, seen: { readonly sizeBytes: number; readonly at: string }): Promise<JobRecord | null>;
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
  /** Counts a completed task into its job, once. */
  countTask(
    address: JobAddress,
    ordinal: number,
    result: { readonly chunks: number; readonly vectors: number },
  ): Promise<JobRecord | null>;
}

/** What is said of a job as a whole. */
export interface JobNotes {
  /** Notes that the original of a job is not kept, before it is deleted. */
  noteOriginalDropped(address: JobAddress): Promise<void>;
  /** Notes that the account of the index does not contain the original any more. */
  noteOriginalUncounted(address: JobAddress): Promise<void>;
  /** Says why the file of a job that waits for it is not there yet; it is said no more once it is. */
  noteFault(address: JobAddress, error: string): Promise<void>;
  /** Notes an invocation that worked on the job as a whole. */
  noteInvocation(address: JobAddress, invocationId: string): Promise<JobRecord | null>;
  /**
   * Notes an invocation that decided on one task, with that task: a job of thousands of tasks keeps its size. The job;
   * null where it is gone.
   */
  noteTaskInvocation(address: JobAddress & TaskAddress, invocationId: string): Promise<JobRecord | null>;
}

/** Around the moment in which the rows of a job take the place of another's. */
export interface JobSealing {
  /**
   * Notes that the rows of a job are about to take the place of another's, after which it can be neither cancelled nor
   * failed: the other's would be lost. May be repeated; false where it has ended without them.
   */
  seal(address: JobAddress): Promise<boolean>;
  /** Gives up on rows that could not take the place of another's. */
  unseal(address: JobAddress): Promise<void>;
}

/** How a job ends, and who looks after one that ended without content. */
export interface JobEndings {
  complete(address: JobAddress, completion: Completion, event: Attributes): Promise<Item | null>;
  fail(address: JobAddress, failure: Failure, event: Attributes): Promise<Item | null>;
  /** Ends a job that has not ended. The job as it is now; null where it is gone. */
  cancel(address: JobAddress, end: { readonly processing: Processing; readonly at: string }): Promise<JobRecord | null>;
  /** Puts off the next look at a job that ended, or was about to end, without content; false where nobody looks at it. */
  remindEnd(address: JobAddress, at: string): Promise<boolean>;
  /** Ends the looks at it. */
  forgetEnd(address: JobAddress): Promise<void>;
}

/** What becomes of a job besides its work. */
export interface JobAftermath {
  /** `awaiting_upload` → `expired`. */
  expire(address: JobAddress, at: string): Promise<void>;
  /** Puts off the next look at a job that waits for something; false where it does not any more. */
  remindJob(address: JobAddress, at: string): Promise<boolean>;
  /** Puts off the next look at a job that awaits its upload to the last one; false as above. */
  awaitLateUpload(address: JobAddress, createdAt: string): Promise<boolean>;
  /** Notes that what an ended job used is in the books, what that is, and the size of its original where that is counted. */
  markCounted(address: JobAddress, processing: Processing, originalBytes?: number): Promise<void>;
  /** `completed | completed_with_warnings` → `superseded`, by the job that took its place; remembered where it is gone. */
  supersede(address: JobAddress, byJobId: string): Promise<void>;
  /** Id of the job that took the place of another, which may be gone; null where none has. */
  successor(address: JobAddress): Promise<string | null>;
}

/** How a job leaves for good. */
export interface JobRemoval {
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
}
