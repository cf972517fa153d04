import { setTimeout } from 'node:timers/promises';
import type { FileJobResponse, FileJobStatus } from '../schema.ts';
import type { Call } from './command.ts';

const pollMs = 2_000;
const openStatuses: ReadonlySet<FileJobStatus> = new Set(['awaiting_upload', 'queued', 'processing']);
const pageSize = 1_000;

/** Whether a job has not ended. */
export const isOpen = ({ status }: FileJobResponse): boolean => openStatuses.has(status);

/** Whether the content of a job is in the index. */
export const isCompleted = ({ status }: FileJobResponse): boolean =>
  status === 'completed' || status === 'completed_with_warnings';

/** File jobs of an index, newest first. */
export const listJobs = async (
  call: Call,
  indexId: string,
  query: { readonly status?: string; readonly source?: 'upload' } = {},
): Promise<readonly FileJobResponse[]> => {
  const params = { path: { index_id: indexId }, query: { limit: pageSize, ...query } };
  const found: FileJobResponse[] = [];
  for await (const job of call.client().pages('/v1/indexes/{index_id}/files', { params })) found.push(job);
  return found;
};

/** Waits until every open job has ended, or every open job of some ids. */
export const waitForJobs = async (call: Call, indexId: string, ids?: ReadonlySet<string>): Promise<void> => {
  for (;;) {
    const open = await listJobs(call, indexId, { status: [...openStatuses].join(',') });
    const { length } = open.filter(({ id }) => ids?.has(id) ?? true);
    if (length === 0) return;
    call.note(`${length} jobs under way`, true);
    await setTimeout(pollMs);
  }
};

/** Failed jobs that no later job of the same file has followed. */
export const unresolvedFailures = (jobs: readonly FileJobResponse[]): readonly FileJobResponse[] => {
  const newest = new Map<string, FileJobResponse>();
  for (const job of jobs) if (!newest.has(job.filename)) newest.set(job.filename, job);
  return [...newest.values()].filter(({ status }) => status === 'failed');
};

/** Row of a job for people, with the reason of a failure. */
export const rowOf = ({ id, status, vectors_written: rows, filename, error }: FileJobResponse): string =>
  `${id}  ${status.padEnd(23)}  ${String(rows).padStart(6)}  ${filename}${error === null ? '' : `  ${error}`}`;
