import type { Key } from '../db/contracts.ts';
import type { JobAftermath, JobEndChecks, JobNotes, JobOpening, JobRemoval, ReplacementLock } from './job-contracts.ts';
import type { JobTransitions } from './job-state.ts';
import type { FileNames } from './file-names.ts';
import type { Overdue } from './overdue.ts';
import type { JobAddress, JobRecord, TaskAddress, TaskRecord } from './record.ts';
import type { TaskAttempts, TaskEndings, TaskUse } from './task-contracts.ts';

/** Filter of a list of jobs. Absent fields match all. */
export interface JobFilter {
  readonly statuses?: readonly JobRecord['status'][] | undefined;
  readonly source?: JobRecord['source'] | undefined;
  /** Part of the file name, in any case. */
  readonly text?: string | undefined;
  /** Whether the caller may see a job. */
  readonly isVisible?: ((job: JobRecord) => boolean) | undefined;
}

export interface FileReader {
  get(address: JobAddress): Promise<JobRecord | null>;
  /**
   * Newest first by default, without jobs that are being deleted unless `withRemoved`. With a filter, or for a caller who is
   * bound to rows, a page may be short although more jobs follow. `next` is then the id of a job that it does not contain, and
   * which such a caller may not see.
   */
  list(
    organizationId: string,
    indexId: string,
    page: {
      readonly limit: number;
      readonly after: string | null;
      readonly newestFirst?: boolean;
      readonly withRemoved?: boolean;
      readonly filter?: JobFilter;
    },
  ): Promise<{ readonly jobs: readonly JobRecord[]; readonly next: string | null }>;
  /** Statuses of the newest jobs, at most `limit`, without jobs that are being deleted. */
  statuses(organizationId: string, indexId: string, limit: number): Promise<readonly JobRecord['status'][]>;
  /** Number of jobs whose content is searchable. */
  countCompleted(organizationId: string, indexId: string): Promise<number>;
  /** Keys of jobs or tasks that should have progressed by `until`, longest waiting first. */
  overdue(kind: Overdue, until: Date, limit: number): Promise<readonly Key[]>;
  task(key: Key): Promise<TaskRecord | null>;
  taskAt(address: TaskAddress): Promise<TaskRecord | null>;
  /** In order of `ordinal`. */
  tasks(organizationId: string, jobId: string): Promise<readonly TaskRecord[]>;
  /** Traces of a job's tasks, without their text. */
  traces(organizationId: string, jobId: string): Promise<readonly Pick<TaskRecord, 'id' | 'trace'>[]>;
}

/** Every change is one conditional update. It returns null or false if the job or task had already progressed. */
export interface FileWriter
  extends
    FileReader,
    FileNames,
    JobOpening,
    JobNotes,
    JobTransitions,
    ReplacementLock,
    JobEndChecks,
    JobAftermath,
    JobRemoval,
    TaskAttempts,
    TaskUse,
    TaskEndings {}
