import { uploadKey } from '../kernel/content-keys.ts';
import { type JobRecord, noCredits, type TaskRecord } from './record.ts';

/** Media type of a file until the file arrives and is detected. */
export const unknownType = 'application/octet-stream';

type KnownJob = Pick<
  JobRecord,
  | 'id'
  | 'organizationId'
  | 'indexId'
  | 'region'
  | 'filename'
  | 'contentType'
  | 'source'
  | 'status'
  | 'checksumSha256'
  | 'metadata'
  | 'replacesJobId'
  | 'createdAt'
> &
  Partial<Pick<JobRecord, 'embeds' | 'bounds' | 'createdBy' | 'expiresAt'>>;

/** Creates a new job. The file of every source is stored at the key of an upload. */
export const newJob = (known: KnownJob): JobRecord => ({
  id: known.id,
  organizationId: known.organizationId,
  indexId: known.indexId,
  region: known.region,
  filename: known.filename,
  contentType: known.contentType,
  source: known.source,
  status: known.status,
  checksumSha256: known.checksumSha256,
  metadata: known.metadata,
  embeds: known.embeds ?? false,
  bounds: known.bounds ?? null,
  createdBy: known.createdBy ?? null,
  replacesJobId: known.replacesJobId,
  createdAt: known.createdAt,
  objectKey: uploadKey({ organizationId: known.organizationId, indexId: known.indexId, jobId: known.id }),
  foundType: null,
  sizeBytes: null,
  tasksTotal: 0,
  done: new Set(),
  chunksWritten: 0,
  vectorsWritten: 0,
  invocations: new Set(),
  replacedByJobId: null,
  note: '',
  error: null,
  errorCode: null,
  processing: null,
  queuedAt: null,
  startedAt: null,
  completedAt: null,
  counted: false,
  removed: false,
  originalDropped: false,
  originalCounted: 0,
  expiresAt: known.expiresAt ?? null,
  uploader: null,
});

type KnownTask = Pick<
  TaskRecord,
  'id' | 'ordinal' | 'unitStart' | 'unitEnd' | 'paged' | 'cut' | 'span' | 'units' | 'etag' | 'createdAt'
>;

/** Creates a new task of a job. */
export const newTask = ({ organizationId, indexId, id: jobId }: JobRecord, known: KnownTask): TaskRecord => ({
  ...known,
  organizationId,
  indexId,
  jobId,
  status: 'queued',
  chunksWritten: 0,
  vectorsWritten: 0,
  attemptCount: 0,
  invocations: new Set(),
  trace: [],
  sparseText: '',
  sparseLength: 0,
  text: null,
  tokens: 0,
  lateTokens: 0,
  embedded: new Set(),
  credits: noCredits,
  charged: new Set(),
  saved: false,
  error: null,
  startedAt: null,
  completedAt: null,
});
