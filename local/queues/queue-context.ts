import { queueDoesNotExist } from './queue-errors.ts';
import type { QueueDefinition, QueueStore } from './queue-types.ts';

/** What an operation runs on. */
export interface QueueContext {
  readonly store: QueueStore;
  readonly region: string;
  readonly accountId: string;
  /** Address that queue addresses start with. */
  readonly endpointUrl: string;
  /** Aborts when the caller is gone, so that no message is handed to nobody. */
  readonly signal: AbortSignal;
}

/** The queue that an address names in the caller's region. Throws `QueueDoesNotExist`. */
export const queueOf = ({ store, region }: QueueContext, url: string): QueueDefinition => {
  const queue = store.find(region, url.split('/').at(-1) ?? '');
  if (queue === undefined) {
    throw queueDoesNotExist();
  }
  return queue;
};
