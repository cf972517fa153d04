import { createHash } from 'node:crypto';
import type { Table } from '../db/contracts.ts';
import { membersOf, textOf } from '../db/read-item.ts';
import type { JobRecord } from './record.ts';
import { checksumAsBase64 } from './upload.ts';

/** Jobs that are remembered for each name of a file, at most twice as many. */
const maxJobs = 20;

/** Job that is recorded under the name of its file. The job is stored afterwards, or its request has died. */
export interface NamedJob {
  readonly jobId: string;
  /** SHA-256 of the file in base64; empty if it is not known. */
  readonly checksum: string;
}

/** Jobs with files of one name in an index. */
export interface NamedJobs {
  /** The one that was recorded last, then the others from new to old. */
  readonly jobs: readonly NamedJob[];
  /** Id of the job that was recorded last; null if there is none. */
  readonly last: string | null;
}

/** Names of the files that callers upload to an index. */
export interface FileNames {
  jobsNamed(file: Pick<JobRecord, 'organizationId' | 'indexId' | 'filename'>): Promise<NamedJobs>;
  /**
   * Records a job under the name of its file before the job is stored. With `seen`, returns false if another job has been
   * recorded since.
   */
  recordName(job: JobRecord, seen?: NamedJobs): Promise<boolean>;
  /** Removes the record of a job that will not be stored. */
  forgetName(job: JobRecord): Promise<void>;
}

export const namePartition = (organizationId: string, indexId: string): string => `NAMES#${organizationId}#${indexId}`;

/** Returns the key of a name. File systems store the same name in different forms of Unicode. */
const nameKeyOf = ({
  organizationId,
  indexId,
  filename,
}: Pick<JobRecord, 'organizationId' | 'indexId' | 'filename'>) => ({
  pk: namePartition(organizationId, indexId),
  sk: createHash('sha256').update(filename.normalize('NFC')).digest('base64url'),
});

const checksumOf = ({ checksumSha256 }: JobRecord): string =>
  checksumSha256 === null ? '' : checksumAsBase64(checksumSha256);

const memberOf = (job: JobRecord): string => `${job.id} ${checksumOf(job)}`;

const toNamedJob = (member: string): NamedJob => {
  const [jobId = '', checksum = ''] = member.split(' ');
  return { jobId, checksum };
};

/** Records of names. A job id sorts by time, but those of concurrent requests in any order. */
export const fileNames = (table: Table): FileNames => ({
  jobsNamed: async (file) => {
    const item = await table.get(nameKeyOf(file));
    const jobs = [...membersOf(item, 'jobs')].toSorted().toReversed().map(toNamedJob);
    const last = textOf(item, 'last');
    return { jobs: jobs.toSorted((one, other) => Number(other.jobId === last) - Number(one.jobId === last)), last };
  },
  recordName: async (job, seen) => {
    const unchanged = { last: seen?.last == null ? { exists: false } : { eq: seen.last } };
    const item = await table.update(nameKeyOf(job), {
      set: { last: job.id },
      include: { jobs: [memberOf(job)] },
      ...(seen === undefined ? {} : { condition: unchanged }),
    });
    const members = [...membersOf(item, 'jobs')].toSorted();
    if (members.length >= 2 * maxJobs)
      await table.update(nameKeyOf(job), { exclude: { jobs: members.slice(0, -maxJobs) } });
    return item !== null;
  },
  forgetName: async (job) => {
    await table.update(nameKeyOf(job), { exclude: { jobs: [memberOf(job)] } });
  },
});
