import type { Attributes, Item } from '../db/contracts.ts';
import type { EventRecorder } from '../events/index.ts';
import type { Processing } from '../pipeline/processing.ts';
import type { JobAddress, JobRecord, TaskAddress } from './record.ts';

/** Creation of a job, and its progress. */
export interface JobOpening {
  item(address: JobAddress): Promise<Item | null>;
  /** False if the job exists. */
  add(job: JobRecord): Promise<boolean>;
  /** Adds a completed task to its job's counts, once. */
  countTask(
    address: JobAddress,
    ordinal: number,
    result: { readonly chunks: number; readonly vectors: number },
  ): Promise<JobRecord | null>;
}

/** Notes about a job as a whole. */
export interface JobNotes {
  /** Records that the original of a job is not kept, before it is deleted. */
  noteOriginalDropped(address: JobAddress): Promise<void>;
  /** Records that the usage counters of the index no longer include the original. */
  noteOriginalUncounted(address: JobAddress): Promise<void>;
  /** Records that another caller has the upload URL of a job that awaits its file. */
  noteUploader(address: JobAddress, uploader: string): Promise<void>;
  /** Records why the file of a waiting job has not arrived. Removed when it arrives. */
  noteFault(address: JobAddress, error: string): Promise<void>;
  /** Records an invocation that worked on the job as a whole. */
  noteInvocation(address: JobAddress, invocationId: string): Promise<JobRecord | null>;
  /**
   * Records an invocation that decided on one task, in the item of the task, so that a job with thousands of tasks
   * keeps its size. Returns the job; null if it is gone.
   */
  noteTaskInvocation(address: JobAddress & TaskAddress, invocationId: string): Promise<JobRecord | null>;
}

/** Lock of a job while its rows replace those of another. */
export interface ReplacementLock {
  /**
   * Locks a job whose rows are about to replace another's. It can be neither cancelled nor failed then, since the
   * other's rows would be lost. Repeatable; false if it has ended without rows.
   */
  lockReplacement(address: JobAddress): Promise<boolean>;
  /** Unlocks a job whose rows could not replace another's. */
  unlockReplacement(address: JobAddress): Promise<void>;
}

/** Note by which the sweep checks a job that ended without rows. */
export interface JobEndChecks {
  /** Postpones the next check of a job that ended, or was about to end, without content; false if it has no note. */
  postponeEndCheck(address: JobAddress, at: string): Promise<boolean>;
  /** Deletes the note. */
  deleteEndNote(address: JobAddress): Promise<void>;
}

/** Other changes of a job. */
export interface JobAftermath {
  /** Postpones the next check of a waiting job; false if it no longer waits. */
  postponeJobCheck(address: JobAddress, at: string): Promise<boolean>;
  /** Postpones the next check of a job that awaits its upload to the deadline; false as above. */
  postponeToUploadDeadline(address: JobAddress, createdAt: string): Promise<boolean>;
  /**
   * Records that the usage of an ended job is in the usage ledger, the usage itself, and the size of its original if
   * that is counted.
   */
  markCounted(address: JobAddress, processing: Processing, originalBytes?: number): Promise<void>;
  /** Records which job has replaced another. */
  noteSuccessor(address: JobAddress, byJobId: string): Promise<void>;
  /** Id of the job that replaced another, which may be gone; null if none did. */
  successor(address: JobAddress): Promise<string | null>;
  /** Records which job an unfinished replacement was to replace, so that a job that replaces it finds that after its deletion. */
  notePredecessor(address: JobAddress, jobId: string): Promise<void>;
  /** Id of the recorded job; null if there is none. */
  predecessor(address: JobAddress): Promise<string | null>;
}

/** Removal of a job. */
export interface JobRemoval {
  /**
   * Hides a job from callers permanently. First it records that the job is being deleted, and the receipt of the
   * removal of its rows.
   * @param event Attributes of an event, which are stored unless the job is hidden already.
   */
  beginRemoval(
    address: JobAddress,
    asked: { readonly receiptId: string; readonly at: string; readonly event?: Attributes },
  ): Promise<void>;
  /**
   * Postpones the next check of such a note. Returns the receipt to wait for, or null for a job that has expired and whose
   * removal has not begun. Null if the note is gone.
   */
  postponeRemovalCheck(address: JobAddress, at: string): Promise<{ readonly receiptId: string | null } | null>;
  /** Deletes the note. */
  deleteRemovalNote(address: JobAddress): Promise<void>;
  /** Removes the tasks of a job that is gone or ended before it began. */
  removeTasks(organizationId: string, jobId: string): Promise<void>;
  /**
   * Removes a job and its tasks after its events, including the text of its file in them. Throws 503 if they cannot be
   * recorded now.
   */
  remove(address: JobAddress, events: EventRecorder): Promise<void>;
  /** Removes every job of an index like `remove`. */
  removeAll(organizationId: string, indexId: string, events: EventRecorder): Promise<void>;
}
