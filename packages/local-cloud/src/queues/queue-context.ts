import { queueDoesNotExist } from './queue-errors.ts';
import type { QueueDefinition, QueueStore } from './queue-types.ts';

/** Dependencies of a queue operation. */
export interface QueueContext {
  readonly store: QueueStore;
  readonly region: string;
  readonly accountId: string;
  /** Prefix of queue addresses. */
  readonly endpointUrl: string;
  /** Aborts when the caller disconnects, so that no message is received for it. */
  readonly signal: AbortSignal;
}

/** Returns the queue of an address in the caller's region. Throws `QueueDoesNotExist`. */
export const queueOf = ({ store, region }: QueueContext, url: string): QueueDefinition => {
  const queue = store.find(region, url.split('/').at(-1) ?? '');
  if (queue === undefined) {
    throw queueDoesNotExist();
  }
  return queue;
};
