import { queueOf, type QueueContext } from './queue-context.ts';
import { invalidReceipt, messageNotInFlight, QueueError } from './queue-errors.ts';
import type { QueueOperation, QueueRequest } from './queue-requests.ts';
import { queueUrl, type QueueDefinition } from './queue-types.ts';
import { chosen, receive } from './receive-message.ts';
import { messageBytes, sendOne } from './send-message.ts';

const maximumBatchBytes = 1_048_576;

/** Runs `one` for each entry and returns successes and failures as batch operations report them. */
const eachEntry = <Entry extends { readonly Id: string }>(
  entries: readonly Entry[],
  one: (entry: Entry) => object,
): object => {
  if (entries.length === 0) {
    throw new QueueError('EmptyBatchRequest', 'There should be at least one entry in the request.');
  }
  if (entries.length > 10) {
    throw new QueueError('TooManyEntriesInBatchRequest', 'Maximum number of entries per request are 10.');
  }
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) {
    throw new QueueError('BatchEntryIdsNotDistinct', 'Two or more batch entries have the same Id.');
  }
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const entry of entries) {
    try {
      Successful.push({ Id: entry.Id, ...one(entry) });
    } catch (error) {
      if (!(error instanceof QueueError)) {
        throw error;
      }
      Failed.push({ Id: entry.Id, Code: error.queryCode, Message: error.message, SenderFault: true });
    }
  }
  return { Successful, Failed };
};

const removeOne = ({ store }: QueueContext, queue: QueueDefinition, receipt: string): object => {
  if (!/^\d+\./.test(receipt)) {
    throw invalidReceipt(receipt);
  }
  store.remove(queue, receipt);
  return {};
};

const deferOne = ({ store }: QueueContext, queue: QueueDefinition, receipt: string, seconds: number): object => {
  if (!/^\d+\./.test(receipt)) {
    throw invalidReceipt(receipt);
  }
  if (!store.defer(queue, receipt, seconds)) {
    throw messageNotInFlight();
  }
  return {};
};

const queueAttributes = ({ store }: QueueContext, queue: QueueDefinition): Readonly<Record<string, string>> => {
  const { visible, inFlight, delayed } = store.depth(queue);
  return {
    QueueArn: queue.arn,
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
    ApproximateNumberOfMessagesDelayed: String(delayed),
    VisibilityTimeout: String(queue.visibilityTimeoutSeconds),
    DelaySeconds: String(queue.delaySeconds),
    MaximumMessageSize: String(queue.maximumMessageBytes),
    MessageRetentionPeriod: String(queue.retentionSeconds),
    ReceiveMessageWaitTimeSeconds: String(queue.receiveWaitSeconds),
    ...(queue.fifo ? { FifoQueue: 'true', ContentBasedDeduplication: String(queue.contentBasedDeduplication) } : {}),
    ...(queue.redrive === null
      ? {}
      : {
          RedrivePolicy: JSON.stringify({
            deadLetterTargetArn: queue.redrive.deadLetterArn,
            maxReceiveCount: queue.redrive.maxReceiveCount,
          }),
        }),
  };
};

type Operations = {
  readonly [Operation in QueueOperation]: (
    context: QueueContext,
    request: QueueRequest<Operation>,
  ) => object | Promise<object>;
};

/** Operations of the queue protocol. They throw `QueueError`. */
export const queueOperations: Operations = {
  SendMessage: (context, { QueueUrl, ...message }) => sendOne(context, queueOf(context, QueueUrl), message),
  SendMessageBatch: (context, { QueueUrl, Entries }) => {
    const queue = queueOf(context, QueueUrl);
    if (Entries.reduce((bytes, entry) => bytes + messageBytes(entry), 0) > maximumBatchBytes) {
      throw new QueueError(
        'BatchRequestTooLong',
        `Batch requests cannot be longer than ${maximumBatchBytes} bytes.`,
        'AWS.SimpleQueueService.BatchRequestTooLong',
      );
    }
    return eachEntry(Entries, (entry) => sendOne(context, queue, entry));
  },
  ReceiveMessage: receive,
  DeleteMessage: (context, { QueueUrl, ReceiptHandle }) =>
    removeOne(context, queueOf(context, QueueUrl), ReceiptHandle),
  DeleteMessageBatch: (context, { QueueUrl, Entries }) => {
    const queue = queueOf(context, QueueUrl);
    return eachEntry(Entries, ({ ReceiptHandle }) => removeOne(context, queue, ReceiptHandle));
  },
  ChangeMessageVisibility: (context, { QueueUrl, ReceiptHandle, VisibilityTimeout }) =>
    deferOne(context, queueOf(context, QueueUrl), ReceiptHandle, VisibilityTimeout),
  ChangeMessageVisibilityBatch: (context, { QueueUrl, Entries }) => {
    const queue = queueOf(context, QueueUrl);
    return eachEntry(Entries, ({ ReceiptHandle, VisibilityTimeout }) =>
      deferOne(context, queue, ReceiptHandle, VisibilityTimeout),
    );
  },
  GetQueueUrl: (context, { QueueName }) => ({
    QueueUrl: queueUrl(context.endpointUrl, context.accountId, queueOf(context, QueueName).name),
  }),
  GetQueueAttributes: (context, { QueueUrl, AttributeNames }) => ({
    Attributes: chosen(queueAttributes(context, queueOf(context, QueueUrl)), AttributeNames),
  }),
  ListQueues: ({ store, region, endpointUrl, accountId }, { QueueNamePrefix }) => ({
    QueueUrls: store.definitions
      .filter((queue) => queue.region === region && queue.name.startsWith(QueueNamePrefix))
      .map((queue) => queueUrl(endpointUrl, accountId, queue.name)),
  }),
  PurgeQueue: (context, { QueueUrl }) => {
    context.store.purge(queueOf(context, QueueUrl));
    return {};
  },
};
