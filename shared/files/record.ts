import { flagOf, membersOf, numberOf, textOf } from '../db/read-item.ts';
import type { Item } from '../db/contracts.ts';
import { toBounds } from '../db/row-bounds.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { RowBounds } from '../kernel/row-bounds.ts';
import type { TraceStep } from '../pipeline/steps.ts';
import type { Processing } from '../pipeline/processing.ts';
import type { Span } from '#documents';
import type { FileJobResponse, FileTaskResponse, JobErrorCode, JobStatus } from './schemas.ts';

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

/** File job as stored. */
export interface JobRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly indexId: string;
  readonly region: string;
  readonly filename: string;
  /** Media type declared at creation; readers use it. */
  readonly contentType: string;
  /** Detected media type if none was declared; null until it is known. */
  readonly foundType: string | null;
  readonly source: FileJobResponse['source'];
  readonly status: JobStatus;
  readonly objectKey: string;
  readonly sizeBytes: number | null;
  readonly checksumSha256: string | null;
  readonly metadata: JsonObject;
  /** Rows to which the caller was bound who created it; null for all. */
  readonly bounds: RowBounds | null;
  /** Id of the credential for which it counts; null for none. */
  readonly createdBy: string | null;
  /** Whether texts of rows that the file supplies are embedded in place of their vectors. */
  readonly embeds: boolean;
  readonly tasksTotal: number;
  /** Ordinals of the tasks whose rows are committed. */
  readonly done: ReadonlySet<string>;
  readonly chunksWritten: number;
  readonly vectorsWritten: number;
  /** Request ids of invocations that worked on the job as a whole, and on none of its tasks. */
  readonly invocations: ReadonlySet<string>;
  readonly replacesJobId: string | null;
  readonly replacedByJobId: string | null;
  /** Unreadable content that planning found, in sentences; empty if there is none. */
  readonly note: string;
  readonly error: string | null;
  readonly errorCode: JobErrorCode | null;
  readonly processing: Processing | null;
  readonly createdAt: string;
  /** When the uploaded object was found. */
  readonly queuedAt: string | null;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  /** Whether the usage of the job is in the usage ledger. */
  readonly counted: boolean;
  /** Whether it is being deleted and hidden from callers. */
  readonly removed: boolean;
  /** Whether its original was too large and is deleted. */
  readonly originalDropped: boolean;
  /** Bytes of its original in the usage counters of the index. */
  readonly originalCounted: number;
  /** Time at which it is removed with its rows; null: never. */
  readonly expiresAt: string | null;
  /** SHA-256 of the token whose caller has the upload URL; null if the service stores the file. */
  readonly uploader: string | null;
}

/** Where a job is kept. */
export const addressOfJob = ({ organizationId, indexId, id }: JobRecord): JobAddress => ({
  organizationId,
  indexId,
  jobId: id,
});

/** Returns when the rows of a job expire, in milliseconds since 1970. Undefined: never. */
export const expiryOfJob = ({ expiresAt }: JobRecord): number | undefined =>
  expiresAt === null ? undefined : Date.parse(expiresAt);

/** Statuses of a task that has not ended. */
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

/** Bytes `[from, to)` of the object with a job's units; `digest` identifies the object. */
export interface StoredUnits {
  readonly digest: string;
  readonly from: number;
  readonly to: number;
}

/** Sizes of the text that a task has stored. */
export interface StoredText {
  /** Code points of the plain text. */
  readonly length: number;
  /** UTF-8 bytes of the plain text, and of the text in Markdown. */
  readonly textBytes: number;
  readonly markdownBytes: number;
  /** Bytes of its sections. Absent: none are stored, as of a task of an earlier release. */
  readonly sectionsBytes?: number;
}

/** Returns the bytes that the text of a task takes. */
export const bytesOfText = (text: StoredText | null): number =>
  text === null ? 0 : text.textBytes + text.markdownBytes + (text.sectionsBytes ?? 0);

/** Task: a range of a file's units, from extraction to committed rows. */
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
  /** Key of the unit boundaries at planning. */
  readonly cut: string;
  /** Byte range of its units, if the task reads only that; null if it reads the whole file. */
  readonly span: Span | null;
  /** Location of the units that planning has stored; null if the task reads them from the file. */
  readonly units: StoredUnits | null;
  /** ETag of the planned file; the task reads no other. Null if it is unknown. */
  readonly etag: string | null;
  readonly chunksWritten: number;
  readonly vectorsWritten: number;
  readonly attemptCount: number;
  readonly invocations: ReadonlySet<string>;
  readonly trace: readonly TraceStep[];
  /** First 4,000 characters of the indexed text, and its total number of characters. */
  readonly sparseText: string;
  readonly sparseLength: number;
  /** Text of its range that is stored. Null: none, as of a task of an earlier release. */
  readonly text: StoredText | null;
  /** Tokens of its texts that models read, each group counted once over all attempts. */
  readonly tokens: number;
  /** Tokens of texts that models read after the task had ended. They are counted by themselves, not with the job. */
  readonly lateTokens: number;
  /** Groups of texts whose tokens are counted. */
  readonly embedded: ReadonlySet<string>;
  /** Credits of its pictures and recordings, each counted once over all attempts. */
  readonly credits: TaskCredits;
  /** Names of the pictures and recordings whose credits are counted. */
  readonly charged: ReadonlySet<string>;
  /** Whether its rows have been sent to the log; all its credits are in `credits` then. */
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

/** Ordinal as text that sorts numerically. */
export const ordinalText = (ordinal: number): string => String(ordinal).padStart(6, '0');

/** Key of the task at an address. */
export const taskKeyOf = ({ organizationId, jobId, ordinal }: TaskAddress) => ({
  pk: taskPartition(organizationId, jobId),
  sk: `TASK#${ordinalText(ordinal)}`,
});

export const successorPartition = (organizationId: string, indexId: string): string =>
  `SUCCESSORS#${organizationId}#${indexId}`;

/**
 * Key of the note that a job ends without content. It is a separate item because the job's own due time belongs to its
 * events.
 */
export const endKeyOf = ({ organizationId, indexId, jobId }: JobAddress) => ({
  pk: `ENDS#${organizationId}#${indexId}`,
  sk: jobId,
});

/** Key of the note that a job is being deleted. It outlives the job. */
export const removalKeyOf = ({ organizationId, indexId, jobId }: JobAddress) => ({
  pk: `REMOVALS#${organizationId}#${indexId}`,
  sk: jobId,
});

/**
 * Key of the record of the job that replaced another, and of the job that an unfinished one was to replace. It outlives the replaced job, because further replacements may be
 * queued. It never expires: a locked replacement is always completed, and this record shows whose rows it has replaced.
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
  bounds: toBounds(item),
  createdBy: textOf(item, 'created_by'),
  embeds: flagOf(item, 'embeds'),
  tasksTotal: numberOf(item, 'tasks_total'),
  done: membersOf(item, 'done'),
  chunksWritten: numberOf(item, 'chunks_written'),
  vectorsWritten: numberOf(item, 'vectors_written'),
  invocations: membersOf(item, 'invocations'),
  replacesJobId: textOf(item, 'replaces_job_id'),
  replacedByJobId: textOf(item, 'replaced_by_job_id'),
  note: textOf(item, 'note') ?? '',
  error: textOf(item, 'error'),
  errorCode: textOf(item, 'error_code') as JobErrorCode | null,
  processing: (item['processing'] as unknown as Processing | undefined) ?? null,
  createdAt: item['created_at'] as string,
  queuedAt: textOf(item, 'queued_at'),
  startedAt: textOf(item, 'started_at'),
  completedAt: textOf(item, 'completed_at'),
  counted: flagOf(item, 'counted'),
  removed: flagOf(item, 'removed'),
  originalDropped: flagOf(item, 'original_dropped'),
  originalCounted: numberOf(item, 'original_counted'),
  expiresAt: textOf(item, 'expires_at'),
  uploader: textOf(item, 'uploader'),
});

/** Steps of a task in the order of their ends. */
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
  cut: item['cut'] as string,
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
  text: (item['text'] as unknown as StoredText | undefined) ?? null,
  tokens: numberOf(item, 'tokens'),
  lateTokens: numberOf(item, 'late_tokens'),
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
