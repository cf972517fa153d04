import { createHash } from 'node:crypto';
import type { OutgoingMessage, QueueDefinition } from './queue-types.ts';

/** Time for which a deduplication id makes a message a duplicate. */
export const deduplicationMs = 5 * 60 * 1000;

/** Returns the key by which a FIFO queue recognizes duplicates; null if the message has none. */
export const deduplicationKey = (
  queue: QueueDefinition,
  { body, groupId, deduplicationId }: OutgoingMessage,
): string | null => {
  const own = queue.contentBasedDeduplication ? createHash('sha256').update(body).digest('hex') : null;
  const id = deduplicationId ?? own;
  return id === null || queue.deduplicationScope === 'queue' ? id : JSON.stringify([groupId, id]);
};
