import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import type { Runtime } from '../../kernel/capability.ts';
import { isObject } from '../../kernel/json.ts';
import { deadLetterQueueName, type QueueName, queueName, queues, tenantAttribute } from '../../kernel/names.ts';
import { sqsClient } from './sqs-client.ts';

/** Maximum delay of a message, in seconds. Source: SQS, `SendMessage`. */
export const maxDelaySeconds = 900;

interface SendOptions {
  /** Seconds before the message may be received, at most `maxDelaySeconds`; not for FIFO queues. */
  readonly delaySeconds?: number;
  /**
   * On a FIFO queue, messages of a group arrive in order, to one consumer at a time. On a standard queue, groups share
   * fairly.
   * Default: the organization that the message names.
   */
  readonly groupId?: string;
  /** FIFO queues only: a duplicate within five minutes is dropped. */
  readonly deduplicationId?: string;
}

/** Returns the URL of a queue. */
export const queueUrl = (runtime: Runtime, queue: QueueName, region: string): string =>
  `https://sqs.${region}.amazonaws.com/${runtime.config.accountId}/${queueName(runtime.config.deployment, queue)}`;

/** Serializes a body. JSON escapes all characters that SQS rejects except two. Source: SQS, `SendMessage`. */
const encodeBody = (body: unknown): string =>
  JSON.stringify(body)
    .replaceAll('\uFFFE', String.raw`\ufffe`)
    .replaceAll('\uFFFF', String.raw`\uffff`);

/**
 * Returns the organization that a message names. As the message group it keeps one busy organization from delaying the
 * others.
 * Source: SQS, "fair queues".
 */
const organizationOf = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null && 'organization_id' in body && typeof body.organization_id === 'string'
    ? body.organization_id
    : undefined;

const groupParameter = (queue: QueueName, body: unknown, groupId?: string): { readonly MessageGroupId?: string } => {
  const MessageGroupId = groupId ?? (queues[queue].fifo ? undefined : organizationOf(body));
  return MessageGroupId === undefined ? {} : { MessageGroupId };
};

/** Adds the organization as an attribute if the message group is something else. */
const tenantParameter = (queue: QueueName, body: unknown) => {
  const organization = queues[queue].fifo ? organizationOf(body) : undefined;
  return organization === undefined
    ? {}
    : { MessageAttributes: { [tenantAttribute]: { DataType: 'String', StringValue: organization } } };
};

/** Sends one JSON message of at most 1 MiB. Resolves once the queue has stored it. */
export const sendMessage = async (
  runtime: Runtime,
  queue: QueueName,
  region: string,
  body: unknown,
  options: SendOptions = {},
): Promise<void> => {
  await sqsClient(region).send(
    new SendMessageCommand({
      QueueUrl: queueUrl(runtime, queue, region),
      MessageBody: encodeBody(body),
      ...(options.delaySeconds === undefined ? {} : { DelaySeconds: options.delaySeconds }),
      ...groupParameter(queue, body, options.groupId),
      ...tenantParameter(queue, body),
      ...(options.deduplicationId === undefined ? {} : { MessageDeduplicationId: options.deduplicationId }),
    }),
  );
};

const batchSize = 10;

/**
 * Sends messages to a standard queue, ten for each request. Throws if the queue rejects one.
 * @param perSecond Messages that become visible in each second from now; delays are at most `maxDelaySeconds`. Default:
 * all at once.
 * @param groupOf Returns the message group of a body; default: the organization that it names.
 */
export const sendMessages = async <Body>(
  runtime: Runtime,
  queue: QueueName,
  region: string,
  bodies: readonly Body[],
  { perSecond = Infinity, groupOf }: { readonly perSecond?: number; readonly groupOf?: (body: Body) => string } = {},
): Promise<void> => {
  for (let from = 0; from < bodies.length; from += batchSize) {
    const Entries = bodies.slice(from, from + batchSize).map((body, at) => {
      const DelaySeconds = Math.floor((from + at) / perSecond);
      return {
        Id: String(at),
        MessageBody: encodeBody(body),
        ...(DelaySeconds > 0 ? { DelaySeconds } : {}),
        ...groupParameter(queue, body, groupOf?.(body)),
      };
    });
    const { Failed } = await sqsClient(region).send(
      new SendMessageBatchCommand({ QueueUrl: queueUrl(runtime, queue, region), Entries }),
    );
    if (Failed !== undefined && Failed.length > 0)
      throw new Error(`queue ${queue} rejected ${Failed.length} message(s): ${Failed[0]?.Code}`);
  }
};

/** Receives of ten messages in one look, and seconds for which messages of others stay hidden. */
const [maxReceives, hiddenSeconds] = [100, 60];

/** Returns the index that a message of the log names. */
const indexOf = (body: string): unknown => {
  const message: unknown = JSON.parse(body);
  return isObject(message) ? message['index_id'] : null;
};

/** Deletes messages of some indexes that have left their logs without success. Returns their number. */
export const deleteDeadChanges = async (
  runtime: Runtime,
  region: string,
  indexIds: ReadonlySet<unknown>,
): Promise<number> => {
  const { accountId, deployment } = runtime.config;
  const QueueUrl = `https://sqs.${region}.amazonaws.com/${accountId}/${deadLetterQueueName(deployment, 'log')}`;
  let deleted = 0;
  for (let receives = 0; receives < maxReceives; receives += 1) {
    const { Messages = [] } = await sqsClient(region).send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: batchSize,
        VisibilityTimeout: hiddenSeconds,
      }),
    );
    if (Messages.length === 0) break;
    for (const { Body = '', ReceiptHandle } of Messages)
      if (indexIds.has(indexOf(Body))) {
        await sqsClient(region).send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
        deleted += 1;
      }
  }
  return deleted;
};

/** Returns the URL of a queue by its ARN in an SQS event. */
const addressOf = (runtime: Runtime, queueArn: string) => {
  const [, , , region = runtime.config.region, account, name] = queueArn.split(':');
  return { region, name, QueueUrl: `https://sqs.${region}.amazonaws.com/${account}/${name}` };
};

/** Changes the visibility of received messages, and deletes them. */
export const openQueueControl = (runtime: Runtime) => ({
  /**
   * Hides a message for some seconds; `queueArn` as in an SQS event.
   * Returns false if that failed, usually because the message was deleted or is visible again.
   */
  hideFor: async (queueArn: string, receiptHandle: string, seconds: number): Promise<boolean> => {
    const { region, name, QueueUrl } = addressOf(runtime, queueArn);
    try {
      await sqsClient(region).send(
        new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: receiptHandle, VisibilityTimeout: seconds }),
      );
      return true;
    } catch (error) {
      runtime.log.warn('queue.visibility.failed', { queue: name, error });
      return false;
    }
  },
  /** Deletes a message. Returns false if that failed. */
  remove: async (queueArn: string, receiptHandle: string): Promise<boolean> => {
    const { region, name, QueueUrl } = addressOf(runtime, queueArn);
    try {
      await sqsClient(region).send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: receiptHandle }));
      return true;
    } catch (error) {
      runtime.log.warn('queue.delete.failed', { queue: name, error });
      return false;
    }
  },
});
