import type { Key, Table } from '../db/contracts.ts';
import type { FileReader } from './contracts.ts';
import {
  completedStatuses,
  jobKeyOf,
  jobPartition,
  taskKeyOf,
  taskPartition,
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

/** Reads of jobs and tasks. */
export const readsOf = (table: Table): FileReader => ({
  get: async (address) => {
    const item = await table.get(jobKeyOf(address));
    return item === null ? null : toJobRecord(item);
  },
  list: async (organizationId, indexId, { limit, after, withRemoved = false }) => {
    const page = await table.query(jobPartition(organizationId, indexId), {
      newestFirst: true,
      limit,
      ...(withRemoved ? {} : { where: notRemoved }),
      after,
    });
    return { jobs: page.items.map(toJobRecord), next: page.next };
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
