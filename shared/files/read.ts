import type { Key, Table } from '../db/contracts.ts';
import { foldedName } from '../kernel/text.ts';
import type { FileReader, JobFilter } from './contracts.ts';
import { completedStatuses } from './job-state.ts';
import {
  jobKeyOf,
  jobPartition,
  taskKeyOf,
  taskPartition,
  type JobRecord,
  type TaskRecord,
  toJobRecord,
  toTaskRecord,
  traceOf,
} from './record.ts';

const readTask = async (table: Table, key: Key): Promise<TaskRecord | null> => {
  const item = await table.get(key);
  return item === null ? null : toTaskRecord(item);
};

/** Condition: the job is not being deleted. */
const notRemoved = { removed: { exists: false } } as const;

// Pages of 1 MiB that one request filters: about 10,000 jobs.
const maxFilteredPages = 16;

const listFiltered = async (
  table: Table,
  partition: string,
  {
    limit,
    after,
    newestFirst,
    filter,
  }: {
    readonly limit: number;
    readonly after: string | null;
    readonly newestFirst: boolean;
    readonly filter: JobFilter;
  },
): Promise<{ readonly jobs: readonly JobRecord[]; readonly next: string | null }> => {
  const { statuses, source, text, isVisible = () => true } = filter;
  const where = {
    ...notRemoved,
    ...(statuses === undefined ? {} : { status: { in: statuses } }),
    ...(source === undefined ? {} : { source: { eq: source } }),
  };
  const wanted = text === undefined ? undefined : foldedName(text);
  const jobs: JobRecord[] = [];
  let from = after;
  for (let pages = 0; pages < maxFilteredPages; pages += 1) {
    const page = await table.query(partition, { newestFirst, where, after: from });
    for (const job of page.items.map(toJobRecord)) {
      if (!isVisible(job)) continue;
      if (wanted === undefined || foldedName(job.filename).includes(wanted)) jobs.push(job);
    }
    if (jobs.length > limit) return { jobs: jobs.slice(0, limit), next: jobs[limit - 1]?.id ?? null };
    from = page.next;
    if (from === null) break;
  }
  return { jobs, next: from };
};

/** Reads of jobs and tasks. */
export const readsOf = (table: Table): FileReader => ({
  get: async (address) => {
    const item = await table.get(jobKeyOf(address));
    return item === null ? null : toJobRecord(item);
  },
  list: async (organizationId, indexId, { limit, after, newestFirst = true, withRemoved = false, filter = {} }) => {
    const partition = jobPartition(organizationId, indexId);
    if (Object.values(filter).every((value) => value === undefined)) {
      const where = withRemoved ? {} : { where: notRemoved };
      const page = await table.query(partition, { newestFirst, limit, ...where, after });
      return { jobs: page.items.map(toJobRecord), next: page.next };
    }
    return listFiltered(table, partition, { limit, after, newestFirst, filter });
  },
  statuses: async (organizationId, indexId, limit) => {
    const options = { newestFirst: true, where: notRemoved, only: ['status'] };
    const found: JobRecord['status'][] = [];
    for await (const item of table.all(jobPartition(organizationId, indexId), options)) {
      if (found.length === limit) break;
      found.push(item['status'] as JobRecord['status']);
    }
    return found;
  },
  countCompleted: (organizationId, indexId) =>
    table.count(jobPartition(organizationId, indexId), {
      where: { ...notRemoved, status: { in: completedStatuses } },
    }),
  overdue: (kind, until, limit) => table.due(kind, until.toISOString(), limit),
  task: (key) => readTask(table, key),
  taskAt: (address) => readTask(table, taskKeyOf(address)),
  tasks: (organizationId, jobId) =>
    Array.fromAsync(table.all(taskPartition(organizationId, jobId), { prefix: 'TASK#' }), (item) => toTaskRecord(item)),
  traces: (organizationId, jobId) =>
    Array.fromAsync(
      table.all(taskPartition(organizationId, jobId), { prefix: 'TASK#', only: ['id', 'trace'] }),
      (item) => ({ id: item['id'] as string, trace: traceOf(item) }),
    ),
});
