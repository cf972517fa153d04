import { createHash } from 'node:crypto';
import type { OutgoingMessage, QueueDefinition } from './queue-types.ts';

/** How long an id makes a message a duplicate. */
export const deduplicationMs = 5 * 60 * 1000;

/** What two messages of a FIFO queue have in common when the second repeats the first; null where nothing says so. */
export const deduplicationKey = (
  queue: QueueDefinition,
  { body, groupId, deduplicationId }: OutgoingMessage,
): string | null => {
  const own = queue.contentBasedDeduplication ? createHash('sha256').update(body).digest('hex') : null;
  const id = deduplicationId ?? own;
  return id === null || queue.deduplicationScope === 'queue' ? id : JSON.stringify([groupId, id]);
};
