import { present } from '../db/condition.ts';
import type { Attributes, Item, Table } from '../db/contracts.ts';
import { overdueEnd } from './overdue.ts';
import { endKeyOf, type JobAddress, jobKeyOf, type JobRecord } from './record.ts';
import type { JobStatus } from './schemas.ts';

/** Statuses of a job that has not ended. */
const openStatuses = ['awaiting_upload', 'queued', 'processing'] as const satisfies readonly JobStatus[];

/** Statuses of a job whose content is searchable. */
export const completedStatuses = ['completed', 'completed_with_warnings'] as const satisfies readonly JobStatus[];

/** Statuses of a job whose rows are in the index or are about to be. */
export const statusesWithRows: readonly JobStatus[] = ['processing', ...completedStatuses];

/** How a job gets a status. */
interface JobState {
  readonly from: readonly JobStatus[];
  /** Components that change a job to this status. */
  readonly by: string;
  /** Attribute that stores the time of the change. */
  readonly dated?: 'queued_at' | 'started_at' | 'completed_at';
  /** Attribute with which the change is refused. A job that is just replacing another can be neither failed nor cancelled. */
  readonly unless?: 'queued_at' | 'replacing';
  /** Parts that the job gives up: its unfinished tasks end, its rows leave the index, its original is deleted and not counted. */
  readonly releases: readonly ('tasks' | 'rows' | 'original')[];
  /** Whether the job ends without rows, so that the sweep checks that its end is complete. */
  readonly isEmpty?: boolean;
}

/**
 * State machine of a file job: from which statuses it gets each status, by whom, and what it releases. An import waits for
 * its file in `queued`, and every other job in `awaiting_upload`.
 */
export const jobStates = {
  queued: {
    from: ['awaiting_upload', 'queued'],
    by: 'plan and import-file, when the file has arrived',
    dated: 'queued_at',
    unless: 'queued_at',
    releases: [],
  },
  processing: { from: ['queued'], by: 'plan', dated: 'started_at', releases: [] },
  completed: { from: ['processing'], by: 'index-writer, with the last task', dated: 'completed_at', releases: [] },
  completed_with_warnings: {
    from: ['processing'],
    by: 'index-writer, with the last task, and plan, for a file without tasks',
    dated: 'completed_at',
    releases: [],
    isEmpty: true,
  },
  failed: {
    from: openStatuses,
    by: 'the worker that exhausted its retries or found that the file cannot be processed',
    dated: 'completed_at',
    unless: 'replacing',
    releases: ['tasks', 'rows'],
    isEmpty: true,
  },
  cancelled: {
    from: openStatuses,
    by: 'callers, plan, syncs and crawls, index-writer for a later replacement, and the deletion of the index',
    dated: 'completed_at',
    unless: 'replacing',
    releases: ['tasks', 'rows', 'original'],
    isEmpty: true,
  },
  expired: { from: ['awaiting_upload'], by: 'sweep-files', dated: 'completed_at', releases: ['original'] },
  superseded: { from: [...completedStatuses, 'failed'], by: 'index-writer', releases: ['original'] },
} as const satisfies Record<Exclude<JobStatus, 'awaiting_upload'>, JobState>;

/** Status that a job can be changed to. */
export type NextStatus = keyof typeof jobStates;

const stateOf = (status: JobStatus): JobState | null => (status === 'awaiting_upload' ? null : jobStates[status]);

/** Whether a job has not ended. */
export const isOpen = ({ status }: Pick<JobRecord, 'status'>): boolean =>
  (openStatuses as readonly JobStatus[]).includes(status);

/** Whether the content of a job is searchable. */
export const isCompleted = ({ status }: Pick<JobRecord, 'status'>): boolean =>
  (completedStatuses as readonly JobStatus[]).includes(status);

/** Whether a job has ended without content. Its rows are removed, and its usage is counted with that. */
export const endedWithoutContent = ({ status }: Pick<JobRecord, 'status'>): boolean =>
  stateOf(status)?.releases.includes('rows') ?? false;

/**
 * Whether a job has ended without content and its cleanup may be incomplete. A job that was superseded since may have been
 * one of these.
 */
export const needsCleanup = (job: JobRecord): boolean =>
  !job.counted &&
  (endedWithoutContent(job) ||
    job.status === 'superseded' ||
    (job.status === 'completed_with_warnings' && job.tasksTotal === 0));

/** Whether an ended job keeps its original. Otherwise any object at its key is deleted. */
export const keepsOriginal = (job: Pick<JobRecord, 'status' | 'sizeBytes' | 'originalDropped'>): boolean =>
  !isOpen(job) &&
  stateOf(job.status)?.releases.includes('original') === false &&
  job.sizeBytes !== null &&
  !job.originalDropped;

export interface JobTransitions {
  /**
   * Changes the status of a job, with further attributes in the same write. Returns the changed item; null if the state
   * machine does not allow the change, or if the job is gone. A job that ends without rows is noted for the sweep first.
   */
  transition(
    address: JobAddress,
    to: NextStatus,
    at: string,
    change?: { readonly set?: Attributes; readonly remove?: readonly string[] },
  ): Promise<Item | null>;
}

/** The only writes that change the status of a job. */
export const jobTransitions = (table: Table): JobTransitions => ({
  transition: async (address, to, at, { set = {}, remove = [] } = {}) => {
    const { from, dated, unless, isEmpty = false }: JobState = jobStates[to];
    // The sweep finds this note if the run dies.
    if (isEmpty) await table.update(endKeyOf(address), { set: overdueEnd(address, at) });
    return table.update(jobKeyOf(address), {
      set: { ...set, status: to, ...(dated === undefined ? {} : { [dated]: at }) },
      remove,
      condition: { ...present, status: { in: from }, ...(unless === undefined ? {} : { [unless]: { exists: false } }) },
    });
  },
});
