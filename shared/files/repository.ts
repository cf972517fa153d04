import type { Runtime } from '../kernel/capability.ts';
import { type Attributes, type Item, openTable, type Table } from '../db/table.ts';
import type { TraceStep } from '../pipeline/steps.ts';
import { type JobRecord, jobKey, taskKey, taskPartition, type TaskRecord, toJobRecord, toTaskRecord } from './record.ts';
import type { ErrorReason, Processing } from '../pipeline/processing.ts';
import type { JobStatus } from './schemas.ts';

export interface JobAddress {
  readonly organizationId: string;
  readonly indexId: string;
  readonly jobId: string;
}

export interface FileReader {
  get(address: JobAddress): Promise<JobRecord | null>;
  /** Newest first. */
  list(organizationId: string, indexId: string, page: { readonly limit: number; readonly after: string | null }): Promise<{ readonly jobs: readonly JobRecord[]; readonly next: string | null }>;
  /** In order of ordinal. */
  tasks(organizationId: string, jobId: string): Promise<readonly TaskRecord[]>;
}

/** What the extraction of a task came to; kept with the task before its rows go to the log. */
export interface TaskWork {
  readonly trace: readonly TraceStep[];
  readonly sparseText: string;
  readonly sparseLength: number;
  readonly tokens: number;
}

export interface Completion {
  readonly status: Extract<JobStatus, 'completed' | 'completed_with_warnings'>;
  readonly processing: Processing;
  readonly chunksWritten: number;
  readonly vectorsWritten: number;
  readonly at: string;
}

export interface Failure {
  readonly error: string;
  readonly code: ErrorReason;
  readonly processing: Processing;
  readonly at: string;
}

/** Every change is one conditional update: null or false where the job or task had moved on already. */
export interface FileWriter extends FileReader {
  add(job: JobRecord): Promise<void>;
  /** `awaiting_upload` → `queued`. */
  enqueue(address: JobAddress, seen: { readonly sizeBytes: number; readonly at: string }): Promise<void>;
  /** Notes an invocation that worked on the job as a whole. */
  noteInvocation(address: JobAddress, invocationId: string): Promise<JobRecord | null>;
  addTask(task: TaskRecord): Promise<void>;
  /** `queued` → `processing`, with the event in the same change. */
  begin(address: JobAddress, plan: { readonly tasksTotal: number; readonly at: string; readonly event: Attributes }): Promise<Item | null>;
  /** `queued | running` → `running` for one more attempt. */
  startTask(task: TaskAddress, run: { readonly invocationId: string; readonly at: string }): Promise<TaskRecord | null>;
  saveWork(task: TaskAddress, work: TaskWork): Promise<void>;
  /** Keeps the trace and the reason of an attempt that failed. */
  noteFailure(task: TaskAddress, trace: readonly TraceStep[], error: string): Promise<void>;
  /** `running` → `completed` once the rows are committed. */
  completeTask(task: TaskAddress, result: { readonly chunks: number; readonly vectors: number; readonly trace: readonly TraceStep[]; readonly invocationId: string; readonly at: string }): Promise<void>;
  /** Counts a completed task into its job, once. */
  countTask(address: JobAddress, ordinal: number, result: { readonly chunks: number; readonly vectors: number }): Promise<JobRecord | null>;
  complete(address: JobAddress, completion: Completion, event: Attributes): Promise<Item | null>;
  fail(address: JobAddress, failure: Failure, event: Attributes): Promise<Item | null>;
  cancel(address: JobAddress, at: string): Promise<boolean>;
  /** Open tasks of a job that ended early take `status`; none of its tasks has rows any more. */
  closeTasks(organizationId: string, jobId: string, status: 'failed' | 'cancelled', at: string, error: string | null): Promise<void>;
  item(address: JobAddress): Promise<Item | null>;
}

export interface TaskAddress {
  readonly organizationId: string;
  readonly jobId: string;
  readonly ordinal: number;
}

const keyOf = ({ organizationId, indexId, jobId }: JobAddress) => jobKey(organizationId, indexId, jobId);
const taskKeyOf = ({ organizationId, jobId, ordinal }: TaskAddress) => taskKey(organizationId, jobId, ordinal);
const openTask = { pk: { exists: true }, status: { in: ['queued', 'running'] } } as const;
const openJob = { pk: { exists: true }, status: { in: ['awaiting_upload', 'queued', 'processing'] } } as const;

const readsOf = (table: Table): FileReader => ({
  get: async (address) => {
    const item = await table.get(keyOf(address));
    return item === null ? null : toJobRecord(item);
  },
  list: async (organizationId, indexId, { limit, after }) => {
    const page = await table.query(`INDEX#${organizationId}#${indexId}`, { newestFirst: true, limit, ...(after === null ? {} : { after }) });
    return { jobs: page.items.map(toJobRecord), next: page.next };
  },
  tasks: async (organizationId, jobId) => {
    const tasks: TaskRecord[] = [];
    for await (const item of table.all(taskPartition(organizationId, jobId), { prefix: 'TASK#' })) tasks.push(toTaskRecord(item));
    return tasks;
  },
});

const jobItem = (job: JobRecord): Item => ({
  ...jobKey(job.organizationId, job.indexId, job.id),
  organization_id: job.organizationId,
  index_id: job.indexId,
  region: job.region,
  filename: job.filename,
  content_type: job.contentType,
  source: job.source,
  status: job.status,
  object_key: job.objectKey,
  metadata: job.metadata,
  created_at: job.createdAt,
  ...(job.checksumSha256 === null ? {} : { checksum_sha256: job.checksumSha256 }),
  ...(job.replacesJobId === null ? {} : { replaces_job_id: job.replacesJobId }),
});

const taskItem = (task: TaskRecord): Item => ({
  ...taskKey(task.organizationId, task.jobId, task.ordinal),
  id: task.id,
  organization_id: task.organizationId,
  job_id: task.jobId,
  ordinal: task.ordinal,
  status: task.status,
  unit_start: task.unitStart,
  unit_end: task.unitEnd,
  paged: task.paged,
  created_at: task.createdAt,
});

const jobChanges = (table: Table): Pick<FileWriter, 'add' | 'enqueue' | 'noteInvocation' | 'begin' | 'countTask' | 'complete' | 'fail' | 'cancel' | 'item'> => ({
  item: (address) => table.get(keyOf(address)),
  add: async (job) => {
    await table.put(jobItem(job), { pk: { exists: false } });
  },
  enqueue: async (address, { sizeBytes, at }) => {
    const condition = { pk: { exists: true }, status: { eq: 'awaiting_upload' } } as const;
    await table.update(keyOf(address), { set: { status: 'queued', size_bytes: sizeBytes, queued_at: at }, condition });
  },
  noteInvocation: async (address, invocationId) => {
    const item = await table.update(keyOf(address), { include: { invocations: [invocationId] }, condition: { pk: { exists: true } } });
    return item === null ? null : toJobRecord(item);
  },
  begin: (address, { tasksTotal, at, event }) =>
    table.update(keyOf(address), {
      set: { status: 'processing', tasks_total: tasksTotal, started_at: at, ...event },
      condition: { pk: { exists: true }, status: { eq: 'queued' } },
    }),
  countTask: async (address, ordinal, { chunks, vectors }) => {
    const counted = await table.update(keyOf(address), {
      add: { chunks_written: chunks, vectors_written: vectors },
      include: { done: [String(ordinal)] },
      condition: { pk: { exists: true }, status: { eq: 'processing' }, done: { lacks: String(ordinal) } },
    });
    const item = counted ?? (await table.get(keyOf(address)));
    return item === null ? null : toJobRecord(item);
  },
  complete: (address, { status, processing, chunksWritten, vectorsWritten, at }, event) =>
    table.update(keyOf(address), {
      set: { status, processing, chunks_written: chunksWritten, vectors_written: vectorsWritten, completed_at: at, ...event },
      condition: { pk: { exists: true }, status: { eq: 'processing' } },
    }),
  fail: (address, { error, code, processing, at }, event) =>
    table.update(keyOf(address), {
      set: { status: 'failed', error, error_code: code, processing, completed_at: at, vectors_written: 0, chunks_written: 0, ...event },
      condition: openJob,
    }),
  cancel: async (address, at) =>
    (await table.update(keyOf(address), { set: { status: 'cancelled', completed_at: at, vectors_written: 0, chunks_written: 0 }, condition: openJob })) !== null,
});

const taskChanges = (table: Table): Pick<FileWriter, 'addTask' | 'startTask' | 'saveWork' | 'noteFailure' | 'completeTask' | 'closeTasks'> => ({
  addTask: async (task) => {
    await table.put(taskItem(task), { pk: { exists: false } });
  },
  startTask: async (task, { invocationId, at }) => {
    const item = await table.update(taskKeyOf(task), {
      set: { status: 'running' },
      setOnce: { started_at: at },
      add: { attempt_count: 1 },
      include: { invocations: [invocationId] },
      condition: openTask,
    });
    return item === null ? null : toTaskRecord(item);
  },
  saveWork: async (task, work) => {
    const set = { trace: [...work.trace], sparse_text: work.sparseText, sparse_length: work.sparseLength, tokens: work.tokens };
    await table.update(taskKeyOf(task), { set, remove: ['error'], condition: openTask });
  },
  noteFailure: async (task, trace, error) => {
    await table.update(taskKeyOf(task), { set: { trace: [...trace], error }, condition: openTask });
  },
  completeTask: async (task, { chunks, vectors, trace, invocationId, at }) => {
    const set = { status: 'completed', chunks_written: chunks, vectors_written: vectors, trace: [...trace], completed_at: at };
    await table.update(taskKeyOf(task), { set, include: { invocations: [invocationId] }, condition: openTask });
  },
  closeTasks: async (organizationId, jobId, status, at, error) => {
    for (const task of await readsOf(table).tasks(organizationId, jobId)) {
      const open = task.status === 'queued' || task.status === 'running';
      const end = open ? { status, completed_at: at, error: error ?? undefined } : {};
      await table.update(taskKeyOf(task), { set: { ...end, chunks_written: 0, vectors_written: 0 }, condition: { pk: { exists: true } } });
    }
  },
});

export const openFileReader = (runtime: Runtime): FileReader => readsOf(openTable(runtime, 'files'));

export const openFileWriter = (runtime: Runtime): FileWriter => {
  const table = openTable(runtime, 'files');
  return { ...readsOf(table), ...jobChanges(table), ...taskChanges(table) };
};
