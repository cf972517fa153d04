import * as z from 'zod';
import { capability, type Runtime } from '../kernel/capability.ts';
import type { JobAddress, JobRecord, TaskAddress } from './record.ts';
import { sendMessage, sendMessages } from '../platform/aws/queue.ts';

/** One task to work on. */
export const TaskMessage = z.object({
  organization_id: z.string(),
  index_id: z.string(),
  job_id: z.string(),
  task_id: z.string(),
  ordinal: z.number().int(),
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

/** Hands tasks to the workers of a region. */
export interface TaskQueue {
  send(region: string, messages: readonly TaskMessage[]): Promise<void>;
  /** Hands over one task after a pause, of 900 seconds at most. */
  sendLater(region: string, message: TaskMessage, delaySeconds: number): Promise<void>;
}

const openTaskQueue = (runtime: Runtime): TaskQueue => ({
  send: (region, messages) => sendMessages(runtime, 'tasks', region, messages),
  sendLater: (region, message, delaySeconds) => sendMessage(runtime, 'tasks', region, message, { delaySeconds }),
});

/** Asks for a plan of a job again, in the words of the bucket that tells of an upload. */
export interface PlanQueue {
  remind(job: JobRecord): Promise<void>;
}

const openPlanQueue = (runtime: Runtime): PlanQueue => ({
  remind: ({ region, objectKey }) =>
    sendMessage(runtime, 'plan', region, {
      Records: [{ awsRegion: region, s3: { object: { key: encodeURIComponent(objectKey) } } }],
    }),
});

export const planSend = capability<PlanQueue>(['plan.send'], openPlanQueue);

export const tasksSend = capability<TaskQueue>(['tasks.send'], openTaskQueue);
