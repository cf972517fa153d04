import type { TraceStep } from '../pipeline/steps.ts';
import type { StoredText, TaskAddress, TaskCredits, TaskRecord } from './record.ts';

/** Result of a task's extraction, stored with the task before its rows go to the log. */
export interface TaskWork {
  readonly trace: readonly TraceStep[];
  readonly sparseText: string;
  readonly sparseLength: number;
  /** Text that was stored beside the original. */
  readonly text?: StoredText;
  /** Unread content of the task, in sentences; empty if all was read. */
  readonly warning: string;
}

/** End of a task whose job has no content. */
export interface TaskEnd {
  readonly status: 'failed' | 'cancelled';
  readonly at: string;
  readonly error: string | null;
}

/** Attempts of a task. */
export interface TaskAttempts {
  addTask(task: TaskRecord): Promise<void>;
  /** `queued | running` → `running` for one more attempt. */
  startTask(task: TaskAddress, run: { readonly invocationId: string; readonly at: string }): Promise<TaskRecord | null>;
  /** Records an invocation that is about to write the rows of a task; false if the task is gone. */
  noteWriter(task: TaskAddress, invocationId: string): Promise<boolean>;
  /** Postpones the next check of an open task; false if it has ended. */
  postponeTaskCheck(task: TaskAddress, at: string): Promise<boolean>;
  /** Saves the result of an attempt; false if the task has ended. */
  saveWork(task: TaskAddress, work: TaskWork): Promise<boolean>;
  /** Stores the trace and the reason of a failed attempt. */
  noteFailure(task: TaskAddress, trace: readonly TraceStep[], error: string): Promise<void>;
  /** Stores the trace of a run whose task was ended meanwhile. The trace of a completed task is unchanged. */
  noteEnd(task: TaskAddress, trace: readonly TraceStep[]): Promise<void>;
}

/** Usage of models by a task. */
export interface TaskUse {
  /**
   * Charges one picture or recording, once for each name. Returns the present task; null if it has ended, and then
   * nothing is charged.
   */
  charge(task: TaskAddress, name: string, used: TaskCredits): Promise<TaskRecord | null>;
  /**
   * Counts the tokens of one group of texts, once for each group, unless the task has ended. Returns the present task; null
   * if it is gone.
   */
  noteTokens(task: TaskAddress, used: { readonly group: string; readonly tokens: number }): Promise<TaskRecord | null>;
  /** Notes tokens that were counted by themselves, because the task had ended. */
  noteLateTokens(task: TaskAddress, used: { readonly group: string; readonly tokens: number }): Promise<void>;
}

/** End of a task. */
export interface TaskEndings {
  /** `running` → `completed` when the rows are committed. */
  completeTask(
    task: TaskAddress,
    result: {
      readonly chunks: number;
      readonly vectors: number;
      readonly trace: readonly TraceStep[];
      readonly at: string;
    },
  ): Promise<void>;
  /** Replaces the steps of a task. No effect if it is gone. */
  saveTrace(task: TaskAddress, trace: readonly TraceStep[]): Promise<void>;
  /** Ends the open tasks of a job that ended early, and sets the row counts of all its tasks to zero. */
  closeTasks(organizationId: string, jobId: string, end: TaskEnd): Promise<void>;
}
