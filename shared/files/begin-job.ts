import type { Attributes, Item } from '../db/contracts.ts';
import type { FileWriter } from './contracts.ts';
import { overduePlan } from './overdue.ts';
import { type JobAddress, type JobRecord, toJobRecord } from './record.ts';

/** Queues a job whose file has arrived, once. Returns the present job; null if it is gone. */
export const enqueueJob = async (
  files: Pick<FileWriter, 'transition' | 'item'>,
  address: JobAddress,
  { sizeBytes, at }: { readonly sizeBytes: number; readonly at: string },
): Promise<JobRecord | null> => {
  const change = { set: { size_bytes: sizeBytes, ...overduePlan(address, at) }, remove: ['error'] };
  const item = (await files.transition(address, 'queued', at, change)) ?? (await files.item(address));
  return item === null ? null : toJobRecord(item);
};

/** Begins a queued job with its tasks, and with the event in the same write. Returns null if it was begun before. */
export const beginJob = (
  files: Pick<FileWriter, 'transition'>,
  address: JobAddress,
  plan: {
    readonly tasksTotal: number;
    /** Detected media type; null if one was declared. */
    readonly foundType?: string | null;
    /** Unreadable content that planning found; empty if there is none. */
    readonly note: string;
    readonly at: string;
    readonly event: Attributes;
  },
): Promise<Item | null> => {
  const { tasksTotal, foundType = null, note, at, event } = plan;
  const set = {
    tasks_total: tasksTotal,
    ...(foundType === null ? {} : { found_type: foundType }),
    ...(note === '' ? {} : { note }),
    ...event,
  };
  return files.transition(address, 'processing', at, { set });
};
