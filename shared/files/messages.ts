import * as z from 'zod';
import { capability, type Runtime } from '../kernel/capability.ts';
import { sendMessages } from '../platform/aws/queue.ts';

/** One task to work on. */
export const TaskMessage = z.object({
  organization_id: z.string(),
  index_id: z.string(),
  job_id: z.string(),
  task_id: z.string(),
  ordinal: z.number().int(),
});
export type TaskMessage = z.infer<typeof TaskMessage>;

/** Hands tasks to the workers of a region. */
export interface TaskQueue {
  send(region: string, messages: readonly TaskMessage[]): Promise<void>;
}

const openTaskQueue = (runtime: Runtime): TaskQueue => ({
  send: (region, messages) => sendMessages(runtime, 'tasks', region, messages),
});

export const tasksSend = capability<TaskQueue>(['tasks.send'], openTaskQueue);
