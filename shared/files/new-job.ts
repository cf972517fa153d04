import type { JobRecord } from './record.ts';
import { uploadKey } from './upload.ts';

type Known = Pick<
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
>;

/** A job of which nothing has been done. However its file comes, it lands where an upload would. */
export const newJob = (known: Known): JobRecord => ({
  ...known,
  objectKey: uploadKey({ organizationId: known.organizationId, indexId: known.indexId, jobId: known.id }),
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
});
