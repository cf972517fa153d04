import { type JobRecord, newTask, type TaskRecord } from '../../shared/files/index.ts';
import { newId } from '../../shared/kernel/ids.ts';

/** The task of a job of a text file of which nothing has been done; `differs` says what is other than in the only one of its job. */
export const textTask = (
  job: JobRecord,
  differs: Partial<Pick<TaskRecord, 'id' | 'ordinal' | 'unitStart' | 'unitEnd'>> = {},
): TaskRecord =>
  newTask(job, {
    id: newId('task', new Date(job.createdAt)),
    ordinal: 1,
    unitStart: 1,
    unitEnd: 1,
    paged: false,
    cut: 'first',
    span: null,
    units: null,
    etag: null,
    createdAt: job.createdAt,
    ...differs,
  });
