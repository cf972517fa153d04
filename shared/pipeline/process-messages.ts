import type { Logger } from '../kernel/log.ts';
import type { Delivery } from './worker.ts';

/** Processes the messages of a run concurrently, so that a slow one delays no other. Returns the ids of failed messages. */
export const processMessages = async <Message extends object>(
  deliveries: readonly Delivery<Message>[],
  log: Logger,
  work: (message: Message) => Promise<void>,
): Promise<readonly string[]> => {
  const results = await Promise.allSettled(deliveries.map(({ message }) => work(message)));
  return deliveries.flatMap(({ message, messageId }, at) => {
    const result = results[at];
    if (result?.status !== 'rejected') return [];
    log.error('message.failed', { ...message, message_id: messageId, error: result.reason });
    return [messageId];
  });
};
