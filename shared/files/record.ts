import { flagOf, membersOf, numberOf, textOf } from '../db/read-item.ts';
import type { Item } from '../db/contracts.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { TraceStep } from '../pipeline/steps.ts';
import type { ErrorReason, Processing } from '../pipeline/processing.ts';
import type { Span } from '../platform/extract/port.ts';
import type { FileJobResponse, FileTaskResponse, JobStatus } from './schemas.ts';

/** Where a job is kept. */
export interface JobAddress {
  readonly organizationId: string;
  readonly indexId: string;
  readonly jobId: string;
}

/** Where a task is kept. */
export interface TaskAddress {
  readonly organizationId: string;
  readonly jobId: string;
  readonly ordinal: number;
}

/** What a job is in before it ends. */
export const openStatuses: readonly JobStatus[] = ['awaiting_upload', 'queued', 'processing'];

/** A file job as it is kept. */
export interface JobRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly indexId: string;
  readonly region: string;
  readonly filename: string;
  /** As it was told when the job was made; the file is read by that. */
  readonly contentType: string;
  /** What the file is, where nobody told; null until that is known. */
  readonly foundType: string | null;
  readonly source: FileJobResponse['source'];
  readonly status: JobStatus;
  readonly objectKey: string;
  readonly sizeBytes: number | null;
  readonly checksumSha256: string | null;
  readonly metadata: JsonObject;
  readonly tasksTotal: number;
  /** Ordinals of the tasks whose rows are committed. */
  readonly done: ReadonlySet<string>;
  readonly chunksWritten: number;
  readonly vectorsWritten: number;
  /** Request ids of the invocations that worked on the job as a whole, and on none of its tasks. */
  readonly invocations: ReadonlySet<string>;
  readonly replacesJobId: string | null;
  readonly replacedByJobId: string | null;
  /** What planning found that cannot be read of the file, in sentences; empty where there is nothing to say. */
  readonly note: string;
  readonly error: string | null;
  readonly errorCode: ErrorReason | null;
  readonly processing: Processing | null;
  readonly createdAt: string;
  /** When the uploaded object was seen. */
  readonly queuedAt: string | null;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  /** Whether what the job used is in the books. */
  readonly counted: boolean;
  /** Whether its deletion has begun: callers do not see it any more. */
  readonly removed: boolean;
  /** Whether its original was refused for its size, and is deleted. */
  readonly originalDropped: boolean;
  /** Bytes of its original that the account of the index contains. */
  readonly originalCounted: number;
}

/** What a job is in whose content stands. */
export const completedStatuses: readonly JobStatus[] = ['completed', 'completed_with_warnings'];

/** Where a job is kept. */
export const addressOfJob = ({ organizationId, indexId, id }: JobRecord): JobAddress => ({
  organizationId,
  indexId,
  jobId: id,
});

/** Whether a job has not ended. */
export const isOpen = ({ status }: Pick<JobRecord, 'status'>): boolean => openStatuses.includes(status);

/** Whether the content of a job stands. */
export const isCompleted = ({ status }: Pick<JobRecord, 'status'>): boolean => completedStatuses.includes(status);

/** What a task is in before it ends. */
export const openTaskStatuses: readonly TaskRecord['status'][] = ['queued', 'running'];

/** Whether a task has not ended. */
export const isOpenTask = ({ status }: Pick<TaskRecord, 'status'>): boolean => openTaskStatuses.includes(status);

/** Credits that a task used. */
export interface TaskCredits {
  readonly ocr: number;
  readonly audio: number;
  readonly audioSeconds: number;
}

export const noCredits: TaskCredits = { ocr: 0, audio: 0, audioSeconds: 0 };

/** Bytes `[from, to)` of the object with a job's units, which its digest names. */
export interface StoredUnits {
  readonly digest: string;
  readonly from: number;
  readonly to: number;
}

/** One task: a range of a file's units, from extraction to its committed rows. */
export interface TaskRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly indexId: string;
  readonly jobId: string;
  readonly ordinal: number;
  readonly status: FileTaskResponse['status'];
  /** Units of the file, 1-based, inclusive. */
  readonly unitStart: number;
  readonly unitEnd: number;
  /** Whether units are pages. */
  readonly paged: boolean;
  /** How the file was cut into units then; null for tasks from before that was kept. */
  readonly cut: string | null;
  /** Where its units stand in the file, which is all that it reads then; null where it reads the whole file. */
  readonly span: Span | null;
  /** Where its units lie, as planning has read them; null if the task reads them from the file. */
  readonly units: StoredUnits | null;
  /** ETag of the file that was planned: the task reads no other. Null for tasks of earlier versions. */
  readonly etag: string | null;
  readonly chunksWritten: number;
  readonly vectorsWritten: number;
  readonly attemptCount: number;
  readonly invocations: ReadonlySet<string>;
  readonly trace: readonly TraceStep[];
  /** First 4,000 characters of the text that the task indexed, and how many characters there were. */
  readonly sparseText: string;
  readonly sparseLength: number;
  /** What models read of its texts, each group of them once through all attempts. */
  readonly tokens: number;
  /** Groups of texts whose tokens are among those. */
  readonly embedded: ReadonlySet<string>;
  /** What models read of pictures and recordings, each once through all attempts. */
  readonly credits: TaskCredits;
  /** Pictures and recordings whose credits are among those, by their names within the task. */
  readonly charged: ReadonlySet<string>;
  /** Whether its rows have once been handed to the log: all its credits are in `credits`. */
  readonly saved: boolean;
  readonly error: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
}

export const jobPartition = (organizationId: string, indexId: string): string => `INDEX#${organizationId}#${indexId}`;

/** Key of the job at an address. */
export const jobKeyOf = ({ organizationId, indexId, jobId }: JobAddress) => ({
  pk: jobPartition(organizationId, indexId),
  sk: jobId,
});

export const taskPartition = (organizationId: string, jobId: string): string => `JOB#${organizationId}#${jobId}`;

/** The place of a task in its file as text that sorts as the numbers do. */
export const ordinalText = (ordinal: number): string => String(ordinal).padStart(6, '0');

/** Key of the task at an address. */
export const taskKeyOf = ({ organizationId, jobId, ordinal }: TaskAddress) => ({
  pk: taskPartition(organizationId, jobId),
  sk: `TASK#${ordinalText(ordinal)}`,
});

export const successorPartition = (organizationId: string, indexId: string): string =>
  `SUCCESSORS#${organizationId}#${indexId}`;

/** Key of the note that a job ends without content; beside the job, whose own place among what is due its events need. */
export const endKeyOf = ({ organizationId, indexId, jobId }: JobAddress) => ({
  pk: `ENDS#${organizationId}#${indexId}`,
  sk: jobId,
});

/** Key of the note that a job is being deleted; it outlives the job. */
export const removalKeyOf = ({ organizationId, indexId, jobId }: JobAddress) => ({
  pk: `REMOVALS#${organizationId}#${indexId}`,
  sk: jobId,
});

/**
 * Key of the note which job has taken the place of one; it outlives that one, because more may be on their way to its place.
 * It never expires: one that is sealed is ended however long that takes, and finds by the note whose rows it has replaced.
 */
export const successorKeyOf = ({ organizationId, indexId, jobId }: JobAddress) => ({
  pk: successorPartition(organizationId, indexId),
  sk: jobId,
});

export const toJobRecord = (item: Item): JobRecord => ({
  id: item.sk,
  organizationId: item['organization_id'] as string,
  indexId: item['index_id'] as string,
  region: item['region'] as string,
  filename: item['filename'] as string,
  contentType: item['content_type'] as string,
  foundType: textOf(item, 'found_type'),
  source: item['source'] as JobRecord['source'],
  status: item['status'] as JobStatus,
  objectKey: item['object_key'] as string,
  sizeBytes: (item['size_bytes'] as number | undefined) ?? null,
  checksumSha256: textOf(item, 'checksum_sha256'),
  metadata: JSON.parse(textOf(item, 'metadata') ?? '{}') as JsonObject,
  tasksTotal: numberOf(item, 'tasks_total'),
  done: membersOf(item, 'done'),
  chunksWritten: numberOf(item, 'chunks_written'),
  vectorsWritten: numberOf(item, 'vectors_written'),
  invocations: membersOf(item, 'invocations'),
  replacesJobId: textOf(item, 'replaces_job_id'),
  replacedByJobId: textOf(item, 'replaced_by_job_id'),
  note: textOf(item, 'note') ?? '',
  error: textOf(item, 'error'),
  errorCode: textOf(item, 'error_code') as ErrorReason | null,
  processing: (item['processing'] as unknown as Processing | undefined) ?? null,
  createdAt: item['created_at'] as string,
  queuedAt: textOf(item, 'queued_at'),
  startedAt: textOf(item, 'started_at'),
  completedAt: textOf(item, 'completed_at'),
  counted: flagOf(item, 'counted'),
  removed: flagOf(item, 'removed'),
  originalDropped: flagOf(item, 'original_dropped'),
  originalCounted: numberOf(item, 'original_counted'),
});

/** The steps of a task, in the order in which they ended. */
export const traceOf = (item: Item): readonly TraceStep[] =>
  (item['trace'] as unknown as readonly TraceStep[] | undefined) ?? [];

export const toTaskRecord = (item: Item): TaskRecord => ({
  id: item['id'] as string,
  organizationId: item['organization_id'] as string,
  indexId: item['index_id'] as string,
  jobId: item['job_id'] as string,
  ordinal: numberOf(item, 'ordinal'),
  status: item['status'] as TaskRecord['status'],
  unitStart: numberOf(item, 'unit_start'),
  unitEnd: numberOf(item, 'unit_end'),
  paged: item['paged'] as boolean,
  cut: textOf(item, 'cut'),
  span: (item['span'] as unknown as Span | undefined) ?? null,
  units: (item['units'] as unknown as StoredUnits | undefined) ?? null,
  etag: textOf(item, 'etag'),
  chunksWritten: numberOf(item, 'chunks_written'),
  vectorsWritten: numberOf(item, 'vectors_written'),
  attemptCount: numberOf(item, 'attempt_count'),
  invocations: membersOf(item, 'invocations'),
  trace: traceOf(item),
  sparseText: textOf(item, 'sparse_text') ?? '',
  sparseLength: numberOf(item, 'sparse_length'),
  tokens: numberOf(item, 'tokens'),
  embedded: membersOf(item, 'embedded'),
  credits: {
    ocr: numberOf(item, 'ocr_credits'),
    audio: numberOf(item, 'audio_credits'),
    audioSeconds: numberOf(item, 'audio_seconds'),
  },
  charged: membersOf(item, 'charged'),
  saved: flagOf(item, 'saved'),
  error: textOf(item, 'error'),
  createdAt: item['created_at'] as string,
  startedAt: textOf(item, 'started_at'),
  completedAt: textOf(item, 'completed_at'),
});
