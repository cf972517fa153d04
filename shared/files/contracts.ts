import type { Key } from '../db/contracts.ts';
import type { JobAftermath, JobEndings, JobNotes, JobOpening, JobRemoval, JobSealing } from './job-contracts.ts';
import type { Overdue } from './overdue.ts';
import type { JobAddress, JobRecord, TaskAddress, TaskRecord } from './record.ts';
import type { TaskAttempts, TaskEndings, TaskUse } from './task-contracts.ts';

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

/** Every change is one conditional update: null or false where the job or task had moved on already. */
export interface FileWriter
  extends
    FileReader,
    JobOpening,
    JobNotes,
    JobSealing,
    JobEndings,
    JobAftermath,
    JobRemoval,
    TaskAttempts,
    TaskUse,
    TaskEndings {}
