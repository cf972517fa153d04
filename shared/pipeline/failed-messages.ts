import type { Logger } from '../kernel/log.ts';
import type { Delivery } from './worker.ts';

/** Works on all messages of a run side by side, so that a slow one holds up none; the ids of those that failed. */
export const failedMessages = async <Message extends object>(
  deliveries: readonly Delivery<Message>[],
  log: Logger,
  work: (message: Message) => Promise<void>,
): Promise<readonly string[]> => {
  const results = await Promise.allSettled(deliveries.map(({ message }) => work(message)));
  return deliveries.flatMap(({ message, messageId }, at) => {
    const result = results[at];
    if (result?.status !== 'rejected') return [];
    log.error('message failed', { ...message, message_id: messageId, error: result.reason });
    return [messageId];
  });
};
