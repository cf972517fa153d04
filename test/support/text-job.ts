import { type JobRecord, newJob } from '../../shared/files/index.ts';
import { newId } from '../../shared/kernel/ids.ts';

/** A job of a text file of which nothing has been done; `differs` says where it is, and what is other than that. */
export const textJob = (
  at: Date,
  differs: Partial<Pick<JobRecord, 'organizationId' | 'indexId' | 'status'>> = {},
): JobRecord =>
  newJob({
    id: newId('job', at),
    organizationId: newId('org', at),
    indexId: newId('idx', at),
    region: 'us-east-1',
    filename: 'a.txt',
    contentType: 'text/plain',
    source: 'upload',
    status: 'awaiting_upload',
    checksumSha256: null,
    metadata: {},
    replacesJobId: null,
    createdAt: at.toISOString(),
    ...differs,
  });
