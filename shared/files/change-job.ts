import { boundsAttributes } from '../db/row-bounds.ts';
import { textOf } from '../db/read-item.ts';
import { absent, present } from '../db/condition.ts';
import { dueAttributes, whereDueIn } from '../db/due.ts';
import type { Attributes, Item, Table } from '../db/contracts.ts';
import type { JobAftermath, JobEndChecks, JobNotes, JobOpening, ReplacementLock } from './job-contracts.ts';
import { jobTransitions, statusesWithRows } from './job-state.ts';
import { dueToExpire, endOfUpload, overdueEnd, overduePlan, overdueUpload } from './overdue.ts';
import {
  addressOfJob,
  endKeyOf,
  type JobAddress,
  jobKeyOf,
  type JobRecord,
  removalKeyOf,
  successorKeyOf,
  taskKeyOf,
  toJobRecord,
} from './record.ts';

const jobItem = (job: JobRecord): Item => ({
  ...jobKeyOf(addressOfJob(job)),
  organization_id: job.organizationId,
  index_id: job.indexId,
  region: job.region,
  filename: job.filename,
  content_type: job.contentType,
  source: job.source,
  status: job.status,
  object_key: job.objectKey,
  // As text, since DynamoDB has no numbers beyond 10^±125.
  metadata: JSON.stringify(job.metadata),
  created_at: job.createdAt,
  ...boundsAttributes(job.bounds),
  ...(job.createdBy === null ? {} : { created_by: job.createdBy }),
  ...(job.embeds ? { embeds: true } : {}),
  ...(job.status === 'awaiting_upload' ? overdueUpload(job, job.createdAt) : {}),
  ...(job.checksumSha256 === null ? {} : { checksum_sha256: job.checksumSha256 }),
  ...(job.replacesJobId === null ? {} : { replaces_job_id: job.replacesJobId }),
  ...(job.expiresAt === null ? {} : { expires_at: job.expiresAt }),
  ...(job.uploader === null ? {} : { uploader: job.uploader }),
});

const notes = (table: Table): JobNotes => ({
  noteOriginalDropped: async (address) => {
    await table.update(jobKeyOf(address), { set: { original_dropped: true }, condition: present });
  },
  noteOriginalUncounted: async (address) => {
    await table.update(jobKeyOf(address), { remove: ['original_counted'], condition: present });
  },
  noteUploader: async (address, uploader) => {
    const condition = { ...present, status: { eq: 'awaiting_upload' } } as const;
    await table.update(jobKeyOf(address), { set: { uploader }, condition });
  },
  noteFault: async (address, error) => {
    const condition = { status: { eq: 'queued' }, queued_at: { exists: false } } as const;
    await table.update(jobKeyOf(address), { set: { error }, condition });
  },
  noteInvocation: async (address, invocationId) => {
    const item = await table.update(jobKeyOf(address), {
      include: { invocations: [invocationId] },
      condition: present,
    });
    return item === null ? null : toJobRecord(item);
  },
  noteTaskInvocation: async (address, invocationId) => {
    await table.update(taskKeyOf(address), { include: { invocations: [invocationId] }, condition: present });
    const item = await table.get(jobKeyOf(address));
    return item === null ? null : toJobRecord(item);
  },
});

const openChanges = (table: Table): JobOpening => ({
  item: (address) => table.get(jobKeyOf(address)),
  add: async (job) => {
    // Noted first, so that no job lacks its note. A note without a job ends when it is due.
    if (job.expiresAt !== null)
      await table.update(removalKeyOf(addressOfJob(job)), { set: dueToExpire(job, job.expiresAt) });
    return table.put(jobItem(job), absent);
  },
  countTask: async (address, ordinal, { chunks, vectors }) => {
    const counted = await table.update(jobKeyOf(address), {
      add: { chunks_written: chunks, vectors_written: vectors },
      include: { done: [String(ordinal)] },
      condition: { ...present, status: { eq: 'processing' }, done: { lacks: String(ordinal) } },
    });
    const item = counted ?? (await table.get(jobKeyOf(address)));
    return item === null ? null : toJobRecord(item);
  },
});

const replacementLock = (table: Table): ReplacementLock => ({
  lockReplacement: async (address) => {
    const condition = { ...present, status: { in: statusesWithRows } } as const;
    return (await table.update(jobKeyOf(address), { set: { replacing: true }, condition })) !== null;
  },
  unlockReplacement: async (address) => {
    await table.update(jobKeyOf(address), { remove: ['replacing'], condition: present });
  },
});

const endChecks = (table: Table): JobEndChecks => ({
  postponeEndCheck: async (address, at) =>
    (await table.update(endKeyOf(address), { set: overdueEnd(address, at), condition: present })) !== null,
  deleteEndNote: async (address) => {
    await table.delete(endKeyOf(address));
  },
});

/** Postpones the next check of a job; false if it no longer waits for anything. */
const postponeCheck = async (table: Table, address: JobAddress, set: Attributes): Promise<boolean> =>
  (await table.update(jobKeyOf(address), { set, condition: whereDueIn('jobs', address.organizationId) })) !== null;

const aftermath = (table: Table): JobAftermath => ({
  postponeJobCheck: (address, at) => postponeCheck(table, address, overduePlan(address, at)),
  postponeToUploadDeadline: (address, createdAt) => postponeCheck(table, address, endOfUpload(address, createdAt)),
  markCounted: async (address, processing, originalBytes = 0) => {
    const set = { counted: true, processing, ...(originalBytes === 0 ? {} : { original_counted: originalBytes }) };
    const watched = { set, remove: dueAttributes, condition: whereDueIn('jobs', address.organizationId) };
    // An unsent event keeps its own due time.
    if ((await table.update(jobKeyOf(address), watched)) === null)
      await table.update(jobKeyOf(address), { set, condition: present });
  },
  noteSuccessor: async (address, byJobId) => {
    await table.update(successorKeyOf(address), { set: { job_id: byJobId } });
  },
  successor: async (address) => textOf(await table.get(successorKeyOf(address)), 'job_id'),
  notePredecessor: async (address, jobId) => {
    await table.update(successorKeyOf(address), { set: { predecessor: jobId } });
  },
  predecessor: async (address) => textOf(await table.get(successorKeyOf(address)), 'predecessor'),
});

/** Conditional updates of a job. */
export const jobChanges = (table: Table) => ({
  ...openChanges(table),
  ...notes(table),
  ...replacementLock(table),
  ...jobTransitions(table),
  ...endChecks(table),
  ...aftermath(table),
});
