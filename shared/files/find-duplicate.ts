import type { Clock } from '../kernel/clock.ts';
import { minuteMs } from '../kernel/durations.ts';
import { timeOf } from '../kernel/ids.ts';
import type { FileReader } from './contracts.ts';
import type { NamedJobs } from './file-names.ts';
import { isCompleted, isOpen } from './job-state.ts';
import type { JobRecord } from './record.ts';
import { checksumAsBase64, type OnDuplicate } from './upload.ts';

/** Milliseconds after which a recorded job that is not stored is one whose request died. No request runs as long. */
const storedWithinMs = minuteMs;

/**
 * Returns the newest job of the same name that is open or has content, for `skip` only of the same checksum; null if there is
 * none. Returns `undecided` if another request is about to store one.
 */
export const findDuplicate = async (
  files: Pick<FileReader, 'get'>,
  job: JobRecord,
  onDuplicate: Exclude<OnDuplicate, 'keep'>,
  { jobs }: NamedJobs,
  clock: Clock,
): Promise<JobRecord | 'undecided' | null> => {
  const checksum = checksumAsBase64(job.checksumSha256 ?? '');
  for (const named of jobs) {
    if (named.jobId === job.id || (onDuplicate === 'skip' && named.checksum !== checksum)) continue;
    const { organizationId, indexId } = job;
    const found = await files.get({ organizationId, indexId, jobId: named.jobId });
    if (found === null) {
      if (clock.now().getTime() - timeOf(named.jobId).getTime() < storedWithinMs) return 'undecided';
    } else if (!found.removed && (isOpen(found) || isCompleted(found))) return found;
  }
  return null;
};
