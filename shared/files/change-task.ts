import { absent, present } from '../db/condition.ts';
import { dueAttributes } from '../db/due.ts';
import type { Item, Table } from '../db/contracts.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import type { TaskAttempts, TaskEnd, TaskEndings, TaskUse } from './task-contracts.ts';
import { overdueTask } from './overdue.ts';
import { readsOf } from './read.ts';
import { isOpenTask, openTaskStatuses, taskKeyOf, type TaskRecord, toTaskRecord } from './record.ts';

/** Tasks of a job that are ended in parallel, since the end must fit into a request. */
const closedAtOnce = 20;

const openTask = { ...present, status: { in: openTaskStatuses } } as const;

const taskItem = (task: TaskRecord): Item => ({
  ...taskKeyOf(task),
  id: task.id,
  organization_id: task.organizationId,
  index_id: task.indexId,
  job_id: task.jobId,
  ordinal: task.ordinal,
  status: task.status,
  unit_start: task.unitStart,
  unit_end: task.unitEnd,
  paged: task.paged,
  cut: task.cut,
  ...(task.span === null ? {} : { span: { ...task.span } }),
  ...(task.units === null ? {} : { units: { ...task.units } }),
  ...(task.etag === null ? {} : { etag: task.etag }),
  created_at: task.createdAt,
  ...overdueTask(task, task.createdAt),
});

const workChanges = (table: Table): TaskAttempts => ({
  addTask: async (task) => {
    await table.put(taskItem(task), absent);
  },
  startTask: async (task, { invocationId, at }) => {
    const item = await table.update(taskKeyOf(task), {
      set: { status: 'running', ...overdueTask(task, at) },
      setOnce: { started_at: at },
      add: { attempt_count: 1 },
      include: { invocations: [invocationId] },
      condition: openTask,
    });
    return item === null ? null : toTaskRecord(item);
  },
  noteWriter: async (task, invocationId) =>
    (await table.update(taskKeyOf(task), { include: { invocations: [invocationId] }, condition: present })) !== null,
  postponeTaskCheck: async (task, at) =>
    (await table.update(taskKeyOf(task), { set: overdueTask(task, at), condition: openTask })) !== null,
  saveWork: async (task, work) => {
    const set = {
      trace: [...work.trace],
      sparse_text: work.sparseText,
      sparse_length: work.sparseLength,
      ...(work.text === undefined ? {} : { text: { ...work.text } }),
      saved: true,
    };
    const change = work.warning === '' ? { set, remove: ['error'] } : { set: { ...set, error: work.warning } };
    return (await table.update(taskKeyOf(task), { ...change, condition: openTask })) !== null;
  },
  noteFailure: async (task, trace, error) => {
    // The error of a task with saved work becomes a warning of its job.
    const condition = { ...openTask, saved: { exists: false } } as const;
    await table.update(taskKeyOf(task), { set: { trace: [...trace], error }, condition });
  },
  noteEnd: async (task, trace) => {
    const condition = { ...present, status: { in: ['failed', 'cancelled'] } } as const;
    await table.update(taskKeyOf(task), { set: { trace: [...trace] }, condition });
  },
});

const useChanges = (table: Table): TaskUse => ({
  charge: async (task, name, { ocr, audio, audioSeconds }) => {
    const charged = await table.update(taskKeyOf(task), {
      add: { ocr_credits: ocr, audio_credits: audio, audio_seconds: audioSeconds },
      include: { charged: [name] },
      condition: { ...openTask, charged: { lacks: name } },
    });
    const item = charged ?? (await table.get(taskKeyOf(task)));
    const now = item === null ? null : toTaskRecord(item);
    return now !== null && isOpenTask(now) ? now : null;
  },
  noteTokens: async (task, { group, tokens }) => {
    const noted = await table.update(taskKeyOf(task), {
      add: { tokens },
      include: { embedded: [group] },
      condition: { ...openTask, embedded: { lacks: group } },
    });
    const item = noted ?? (await table.get(taskKeyOf(task)));
    return item === null ? null : toTaskRecord(item);
  },
  noteLateTokens: async (task, { group, tokens }) => {
    await table.update(taskKeyOf(task), {
      add: { late_tokens: tokens },
      include: { embedded: [group] },
      condition: { ...present, embedded: { lacks: group } },
    });
  },
});

/** Attributes of an open task's end, which may have been decided before the task was created or started. */
const endOf = ({ createdAt, startedAt }: TaskRecord, { status, at, error }: TaskEnd) => {
  const times = [at, createdAt, startedAt ?? createdAt];
  return { status, completed_at: times.toSorted().at(-1), error: error ?? undefined };
};

/** Ends a task unless it has ended, and sets its row counts to zero. Reads it again if it was started meanwhile. */
const closeTask = async (table: Table, task: TaskRecord, end: TaskEnd): Promise<void> => {
  const closed = await table.update(taskKeyOf(task), {
    set: { ...(isOpenTask(task) ? endOf(task, end) : {}), chunks_written: 0, vectors_written: 0 },
    remove: dueAttributes,
    condition: { ...present, started_at: task.startedAt === null ? { exists: false } : { eq: task.startedAt } },
  });
  const now = closed === null ? await readsOf(table).taskAt(task) : null;
  if (now !== null) await closeTask(table, now, end);
};

const endChanges = (table: Table): TaskEndings => ({
  completeTask: async (task, { chunks, vectors, trace, at }) => {
    const set = {
      status: 'completed',
      chunks_written: chunks,
      vectors_written: vectors,
      trace: [...trace],
      completed_at: at,
    };
    await table.update(taskKeyOf(task), { set, remove: dueAttributes, condition: openTask });
  },
  saveTrace: async (task, trace) => {
    await table.update(taskKeyOf(task), { set: { trace: [...trace] }, condition: present });
  },
  closeTasks: async (organizationId, jobId, end) => {
    const tasks = await readsOf(table).tasks(organizationId, jobId);
    await inParallel(tasks, closedAtOnce, (task) => closeTask(table, task, end));
  },
});

/** Conditional updates of a task. */
export const taskChanges = (table: Table) => ({ ...workChanges(table), ...useChanges(table), ...endChanges(table) });
