import { createHash } from 'node:crypto';
import * as z from 'zod';
import { capability, type Runtime } from '../kernel/capability.ts';
import type { JobAddress, JobRecord, TaskAddress, TaskRecord } from './record.ts';
import { sendMessage, sendMessages } from '../platform/aws/queue.ts';

/** One task to work on. */
export const TaskMessage = z.object({
  organization_id: z.string(),
  index_id: z.string(),
  job_id: z.string(),
  task_id: z.string(),
  ordinal: z.number().int(),
  /** Message group within the organization; absent for small jobs and in messages of earlier versions. */
  lane: z.string().optional(),
});
export type TaskMessage = z.infer<typeof TaskMessage>;

/** Where a job is kept that is of the index of a message. */
export const jobAddressIn = (
  { organization_id, index_id }: Pick<TaskMessage, 'organization_id' | 'index_id'>,
  jobId: string,
): JobAddress => ({ organizationId: organization_id, indexId: index_id, jobId });

/** Where the task of a message is kept. */
export const taskAddressIn = ({ organization_id, job_id, ordinal }: TaskMessage): TaskAddress => ({
  organizationId: organization_id,
  jobId: job_id,
  ordinal,
});

/** Message groups among which the large jobs of an organization are spread. */
const lanesOfLargeJobs = 16;

/**
 * Message group of a job's tasks within its organization. Groups take turns, so a small upload waits for no backlog, and
 * large jobs take turns among themselves. The number of groups of an organization is bounded: with a group for each job, an
 * organization with many jobs would leave little to the others.
 */
const laneOf = ({ id, source, tasksTotal }: JobRecord): string | undefined => {
  if (tasksTotal > 1) return `large-${(createHash('sha256').update(id).digest()[0] ?? 0) % lanesOfLargeJobs}`;
  return source === 'crawl' || source === 'connector' ? 'synced' : undefined;
};

/** The message of a task of a planned job. */
export const taskMessageOf = (job: JobRecord, { id, ordinal }: Pick<TaskRecord, 'id' | 'ordinal'>): TaskMessage => {
  const lane = laneOf(job);
  return {
    organization_id: job.organizationId,
    index_id: job.indexId,
    job_id: job.id,
    task_id: id,
    ordinal,
    ...(lane === undefined ? {} : { lane }),
  };
};

const taskGroup = ({ organization_id, lane }: TaskMessage): string =>
  lane === undefined ? organization_id : `${organization_id}#${lane}`;

/** Hands tasks to the workers of a region. */
export interface TaskQueue {
  send(region: string, messages: readonly TaskMessage[]): Promise<void>;
  /** Hands over one task after a pause, of 900 seconds at most. */
  sendLater(region: string, message: TaskMessage, delaySeconds: number): Promise<void>;
}

const openTaskQueue = (runtime: Runtime): TaskQueue => ({
  send: (region, messages) => sendMessages(runtime, 'tasks', region, messages, { groupOf: taskGroup }),
  sendLater: (region, message, delaySeconds) =>
    sendMessage(runtime, 'tasks', region, message, { delaySeconds, groupId: taskGroup(message) }),
});

/** An object that has come into the bucket of a region. */
export interface UploadedObject {
  readonly region: string;
  readonly key: string;
  /** Null if unknown. */
  readonly sizeBytes: number | null;
}

/** A file whose plan takes no longer than a second or two. */
const smallFileBytes = 8 * 1024 * 1024;

/** Requests plans of jobs, in the form of a bucket's notification of an upload. */
export interface PlanQueue {
  /** Puts an upload into the message group of its organization, which a notification of the bucket cannot have. */
  send(object: UploadedObject, organizationId: string): Promise<void>;
  remind(job: JobRecord): Promise<void>;
}

const openPlanQueue = (runtime: Runtime): PlanQueue => {
  const send: PlanQueue['send'] = ({ region, key, sizeBytes }, organizationId) => {
    const message = {
      Records: [{ awsRegion: region, s3: { object: { key: encodeURIComponent(key), size: sizeBytes ?? 0 } } }],
      grouped: true,
    };
    const isSmall = (sizeBytes ?? 0) <= smallFileBytes;
    return sendMessage(runtime, 'plan', region, message, { groupId: `${organizationId}${isSmall ? '' : '#large'}` });
  };
  return {
    send,
    remind: ({ region, objectKey: key, sizeBytes, organizationId }) => send({ region, key, sizeBytes }, organizationId),
  };
};

export const planSend = capability<PlanQueue>(['plan.send'], openPlanQueue);

export const tasksSend = capability<TaskQueue>(['tasks.send'], openTaskQueue);
