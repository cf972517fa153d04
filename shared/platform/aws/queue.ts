import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import type { Runtime } from '../../kernel/capability.ts';
import { type QueueName, queueName, queues, tenantAttribute } from '../../kernel/names.ts';
import { sqsClient } from './sqs-client.ts';

/** Most seconds that a queue holds a message back. Source: SQS, `SendMessage`. */
export const maxDelaySeconds = 900;

interface SendOptions {
  /** Seconds before the message may be received, at most `maxDelaySeconds`; not for FIFO queues. */
  readonly delaySeconds?: number;
  /**
   * On a FIFO queue, messages of one group arrive in order, one consumer at a time. On a standard queue groups take turns;
   * default: the organization that the message names.
   */
  readonly groupId?: string;
  /** FIFO queues only: a repeat within five minutes is dropped. */
  readonly deduplicationId?: string;
}

/** Address of a queue. */
export const queueUrl = (runtime: Runtime, queue: QueueName, region: string): string =>
  `https://sqs.${region}.amazonaws.com/${runtime.config.accountId}/${queueName(runtime.config.deployment, queue)}`;

/** JSON writes as escapes what a queue refuses to carry, but for two characters. Source: SQS, `SendMessage`. */
const encodeBody = (body: unknown): string =>
  JSON.stringify(body)
    .replaceAll('\uFFFE', String.raw`\ufffe`)
    .replaceAll('\uFFFF', String.raw`\uffff`);

/**
 * The group of a message on a standard queue, the organization that it names: none that much is done for keeps the messages
 * of the others waiting. Source: SQS, "fair queues".
 */
const organizationOf = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null && 'organization_id' in body && typeof body.organization_id === 'string'
    ? body.organization_id
    : undefined;

const groupParameter = (queue: QueueName, body: unknown, groupId?: string): { readonly MessageGroupId?: string } => {
  const MessageGroupId = groupId ?? (queues[queue].fifo ? undefined : organizationOf(body));
  return MessageGroupId === undefined ? {} : { MessageGroupId };
};

/** Names the organization of a message whose group is something else. */
const tenantParameter = (queue: QueueName, body: unknown) => {
  const organization = queues[queue].fifo ? organizationOf(body) : undefined;
  return organization === undefined
    ? {}
    : { MessageAttributes: { [tenantAttribute]: { DataType: 'String', StringValue: organization } } };
};

/** Sends one JSON message of at most 1 MiB. Resolves once the queue holds it. */
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
 * Sends many messages to a standard queue, ten a request; throws where the queue refused one.
 * @param perSecond How many of them may be received in each second from now; `maxDelaySeconds` at most. Default: all at once.
 * @param groupOf Message group of a body; default: the organization that it names.
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
      throw new Error(`queue ${queue} refused ${Failed.length} message(s): ${Failed[0]?.Code}`);
  }
};

/** Address of a queue by its name in an SQS event. */
const addressOf = (runtime: Runtime, queueArn: string) => {
  const [, , , region = runtime.config.region, account, name] = queueArn.split(':');
  return { region, name, QueueUrl: `https://sqs.${region}.amazonaws.com/${account}/${name}` };
};

/** Changes when a received message may be received again, and deletes it. */
export const openQueueControl = (runtime: Runtime) => ({
  /**
   * `queueArn` as in an SQS event. False where it could not be changed, mostly because the message is not this run's any
   * more: it was deleted, or is visible again.
   */
  hideFor: async (queueArn: string, receiptHandle: string, seconds: number): Promise<boolean> => {
    const { region, name, QueueUrl } = addressOf(runtime, queueArn);
    try {
      await sqsClient(region).send(
        new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: receiptHandle, VisibilityTimeout: seconds }),
      );
      return true;
    } catch (error) {
      runtime.log.warn('the visibility of a message could not be changed', { queue: name, error });
      return false;
    }
  },
  /** False where it could not be deleted. */
  remove: async (queueArn: string, receiptHandle: string): Promise<boolean> => {
    const { region, name, QueueUrl } = addressOf(runtime, queueArn);
    try {
      await sqsClient(region).send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: receiptHandle }));
      return true;
    } catch (error) {
      runtime.log.warn('a message could not be deleted', { queue: name, error });
      return false;
    }
  },
});
