import { attributesDigest, md5 } from './message-digest.ts';
import { queueOf, type QueueContext } from './queue-context.ts';
import type { MessageAttributes, QueueRequest } from './queue-requests.ts';
import type { ReceivedMessage } from './queue-types.ts';
import { sequenceNumber } from './send-message.ts';

/** System attributes of a received message, by their names in the protocol. */
export const systemAttributes = (message: ReceivedMessage, accountId: string): Readonly<Record<string, string>> => ({
  SenderId: accountId,
  SentTimestamp: String(message.sentAtMs),
  ApproximateReceiveCount: String(message.receiveCount),
  ApproximateFirstReceiveTimestamp: String(message.firstReceivedAtMs),
  ...(message.groupId === null ? {} : { MessageGroupId: message.groupId }),
  ...(message.deduplicationId === null
    ? {}
    : { MessageDeduplicationId: message.deduplicationId, SequenceNumber: sequenceNumber(message.sequence) }),
});

/** Returns the entries that are requested by name, by `prefix.*`, or by `All`. */
export const chosen = <Value>(
  values: Readonly<Record<string, Value>>,
  names: readonly string[],
): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) =>
      names.some((asked) =>
        asked.endsWith('.*') ? name.startsWith(asked.slice(0, -2)) : asked === 'All' || asked === name,
      ),
    ),
  );

const receivedForm = (context: QueueContext, request: QueueRequest<'ReceiveMessage'>, message: ReceivedMessage) => {
  const own: MessageAttributes = chosen(message.attributes, request.MessageAttributeNames);
  const asked = [...request.AttributeNames, ...request.MessageSystemAttributeNames];
  const system = chosen(systemAttributes(message, context.accountId), asked);
  return {
    MessageId: message.messageId,
    ReceiptHandle: message.receipt,
    Body: message.body,
    MD5OfBody: md5(message.body),
    MD5OfMessageAttributes: attributesDigest(own),
    ...(Object.keys(own).length === 0 ? {} : { MessageAttributes: own }),
    ...(Object.keys(system).length === 0 ? {} : { Attributes: system }),
  };
};

/** Takes messages. The request or the queue sets how long it waits for a first one. */
export const receive = async (context: QueueContext, request: QueueRequest<'ReceiveMessage'>): Promise<object> => {
  const queue = queueOf(context, request.QueueUrl);
  const found = await context.store.receive(queue, {
    max: request.MaxNumberOfMessages,
    visibilitySeconds: request.VisibilityTimeout,
    waitMs: (request.WaitTimeSeconds ?? queue.receiveWaitSeconds) * 1000,
    signal: context.signal,
  });
  return found.length === 0 ? {} : { Messages: found.map((message) => receivedForm(context, request, message)) };
};
