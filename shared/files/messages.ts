import { createHash } from 'node:crypto';
import * as z from 'zod';
import { capability, type Runtime } from '../kernel/capability.ts';
import type { JobAddress, JobRecord, TaskAddress, TaskRecord } from './record.ts';
import { sendMessage, sendMessages } from '../platform/aws/queue.ts';

/** Message of a task. */
export const TaskMessage = z.object({
  organization_id: z.string(),
  index_id: z.string(),
  job_id: z.string(),
  task_id: z.string(),
  ordinal: z.number().int(),
  /** Message group within the organization; absent for small jobs. */
  lane: z.string().optional(),
});
export type TaskMessage = z.infer<typeof TaskMessage>;

/** Address of a job in the index of a message. */
export const jobAddressIn = (
  { organization_id, index_id }: Pick<TaskMessage, 'organization_id' | 'index_id'>,
  jobId: string,
): JobAddress => ({ organizationId: organization_id, indexId: index_id, jobId });

/** Address of the task of a message. */
export const taskAddressIn = ({ organization_id, job_id, ordinal }: TaskMessage): TaskAddress => ({
  organizationId: organization_id,
  jobId: job_id,
  ordinal,
});

/** Number of message groups for the large jobs of an organization. */
const lanesOfLargeJobs = 16;

/**
 * Message group of a job's tasks within its organization. The queue alternates between groups, so a small upload does
 * not wait for a backlog, and large jobs alternate too. The number of groups of an organization is bounded. With a
 * group for each job, an organization with many jobs would starve the others.
 */
const laneOf = ({ id, source, tasksTotal }: JobRecord): string | undefined => {
  if (tasksTotal > 1) return `large-${(createHash('sha256').update(id).digest()[0] ?? 0) % lanesOfLargeJobs}`;
  return source === 'crawl' || source === 'connector' ? 'synced' : undefined;
};

/** Builds the message of a planned job's task. */
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

/** Sends tasks to the workers of a region. */
export interface TaskQueue {
  send(region: string, messages: readonly TaskMessage[]): Promise<void>;
  /** Sends one task with a delay of at most 900 seconds. */
  sendLater(region: string, message: TaskMessage, delaySeconds: number): Promise<void>;
}

const openTaskQueue = (runtime: Runtime): TaskQueue => ({
  send: (region, messages) => sendMessages(runtime, 'tasks', region, messages, { groupOf: taskGroup }),
  sendLater: (region, message, delaySeconds) =>
    sendMessage(runtime, 'tasks', region, message, { delaySeconds, groupId: taskGroup(message) }),
});

/** Object that has arrived in the bucket of a region. */
export interface UploadedObject {
  readonly region: string;
  readonly key: string;
  /** Null if unknown. */
  readonly sizeBytes: number | null;
}

/** Maximum bytes of a file that is planned within a second or two. */
const smallFileBytes = 8 * 1024 * 1024;

/** Requests plans of jobs, in the format of a bucket's notification of an upload. */
export interface PlanQueue {
  /** Sends an upload to the message group of its organization. A bucket's notification has no group. */
  send(object: UploadedObject, organizationId: string): Promise<void>;
  resend(job: JobRecord): Promise<void>;
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
    resend: ({ region, objectKey: key, sizeBytes, organizationId }) => send({ region, key, sizeBytes }, organizationId),
  };
};

export const planSend = capability<PlanQueue>(['plan.send'], openPlanQueue);

export const tasksSend = capability<TaskQueue>(['tasks.send'], openTaskQueue);
