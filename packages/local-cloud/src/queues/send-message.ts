import { attributesDigest, md5 } from './message-digest.ts';
import type { QueueContext } from './queue-context.ts';
import { invalidParameter, missingParameter, QueueError } from './queue-errors.ts';
import type { QueueRequest } from './queue-requests.ts';
import type { QueueDefinition } from './queue-types.ts';

type Message = Omit<QueueRequest<'SendMessage'>, 'QueueUrl'>;

/** Bytes of a message that count against the size limits: body, and names, types and values of its attributes. */
export const messageBytes = ({ MessageBody, MessageAttributes: attributes }: Message): number =>
  Object.entries(attributes).reduce(
    (bytes, [name, { DataType, StringValue, BinaryValue }]) =>
      bytes +
      Buffer.byteLength(name + DataType + (StringValue ?? '')) +
      Buffer.from(BinaryValue ?? '', 'base64').length,
    Buffer.byteLength(MessageBody),
  );

// oxlint-disable-next-line no-control-regex -- exactly what the protocol refuses
const refusedCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

const checkMessage = (queue: QueueDefinition, message: Message): void => {
  if (messageBytes(message) > queue.maximumMessageBytes) {
    throw invalidParameter(
      `One or more parameters are invalid. Reason: Message must be shorter than ${queue.maximumMessageBytes} bytes.`,
    );
  }
  if (refusedCharacters.test(message.MessageBody)) {
    throw new QueueError('InvalidMessageContents', 'Invalid characters found in the message body.');
  }
  if (queue.fifo && message.MessageGroupId === undefined) {
    throw missingParameter('MessageGroupId');
  }
  if (queue.fifo && message.DelaySeconds !== undefined && message.DelaySeconds !== 0) {
    throw invalidParameter('Value for parameter DelaySeconds is invalid. Reason: a FIFO queue delays as a whole.');
  }
  if (queue.fifo && message.MessageDeduplicationId === undefined && !queue.contentBasedDeduplication) {
    throw invalidParameter(
      'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
    );
  }
};

/** Formats the sequence number of a FIFO message so that it sorts like the number. */
export const sequenceNumber = (sequence: number): string => String(sequence).padStart(20, '0');

/** Checks one message by the rules of the protocol and stores it. */
export const sendOne = ({ store }: QueueContext, queue: QueueDefinition, message: Message) => {
  checkMessage(queue, message);
  const { messageId, sequence } = store.send(queue, {
    body: message.MessageBody,
    attributes: message.MessageAttributes,
    delaySeconds: queue.fifo ? undefined : message.DelaySeconds,
    groupId: message.MessageGroupId,
    deduplicationId: message.MessageDeduplicationId,
  });
  return {
    MessageId: messageId,
    MD5OfMessageBody: md5(message.MessageBody),
    MD5OfMessageAttributes: attributesDigest(message.MessageAttributes),
    ...(queue.fifo ? { SequenceNumber: sequenceNumber(sequence) } : {}),
  };
};
