import type { TraceStep } from '../pipeline/steps.ts';
import type { TaskAddress, TaskCredits, TaskRecord } from './record.ts';

/** What the extraction of a task came to; kept with the task before its rows go to the log. */
export interface TaskWork {
  readonly trace: readonly TraceStep[];
  readonly sparseText: string;
  readonly sparseLength: number;
  /** What of the task's content could not be read, in sentences; empty where all was. */
  readonly warning: string;
}

/** How a task ends with a job that has no content. */
export interface TaskEnd {
  readonly status: 'failed' | 'cancelled';
  readonly at: string;
  readonly error: string | null;
}

/** The attempts at a task. */
export interface TaskAttempts {
  addTask(task: TaskRecord): Promise<void>;
  /** `queued | running` → `running` for one more attempt. */
  startTask(task: TaskAddress, run: { readonly invocationId: string; readonly at: string }): Promise<TaskRecord | null>;
  /** Notes an invocation that is about to write the rows of a task; false where the task is gone. */
  noteWriter(task: TaskAddress, invocationId: string): Promise<boolean>;
  /** Puts off the next look at an open task; false where it is not open any more. */
  remindTask(task: TaskAddress, at: string): Promise<boolean>;
  /** False where the task has ended. */
  saveWork(task: TaskAddress, work: TaskWork): Promise<boolean>;
  /** Keeps the trace and the reason of an attempt that failed. */
  noteFailure(task: TaskAddress, trace: readonly TraceStep[], error: string): Promise<void>;
  /** Keeps the trace of a run under which its task was ended; that of a task which is done stays. */
  noteEnd(task: TaskAddress, trace: readonly TraceStep[]): Promise<void>;
}

/** What models did for a task. */
export interface TaskUse {
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
}

/** How a task ends. */
export interface TaskEndings {
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
  /** Ends the open tasks of a job that ended early; none of its tasks has rows any more. */
  closeTasks(organizationId: string, jobId: string, end: TaskEnd): Promise<void>;
}
