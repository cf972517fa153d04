import * as z from 'zod';

const attribute = z.object({
  DataType: z.string().min(1),
  StringValue: z.string().optional(),
  BinaryValue: z.string().optional(),
});

const attributes = z.record(z.string(), attribute).default({});

/** Attributes that a sender attaches to a message, by name. Binary values are base64. */
export type MessageAttributes = z.output<typeof attributes>;

const message = {
  MessageBody: z.string().min(1),
  DelaySeconds: z.int().min(0).max(900).optional(),
  MessageAttributes: attributes,
  MessageGroupId: z.string().max(128).optional(),
  MessageDeduplicationId: z.string().max(128).optional(),
};

const visibilitySeconds = z.int().min(0).max(43_200);

const batchOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({
    QueueUrl: z.string(),
    Entries: z.array(z.object({ Id: z.string().regex(/^[\w-]{1,80}$/), ...shape })),
  });

/** Request shapes of the queue protocol's operations, by name. */
export const queueRequests = {
  SendMessage: z.object({ QueueUrl: z.string(), ...message }),
  SendMessageBatch: batchOf(message),
  ReceiveMessage: z.object({
    QueueUrl: z.string(),
    MaxNumberOfMessages: z.int().min(1).max(10).default(1),
    VisibilityTimeout: visibilitySeconds.optional(),
    WaitTimeSeconds: z.int().min(0).max(20).optional(),
    MessageAttributeNames: z.array(z.string()).default([]),
    AttributeNames: z.array(z.string()).default([]),
    MessageSystemAttributeNames: z.array(z.string()).default([]),
  }),
  DeleteMessage: z.object({ QueueUrl: z.string(), ReceiptHandle: z.string() }),
  DeleteMessageBatch: batchOf({ ReceiptHandle: z.string() }),
  ChangeMessageVisibility: z.object({
    QueueUrl: z.string(),
    ReceiptHandle: z.string(),
    VisibilityTimeout: visibilitySeconds,
  }),
  ChangeMessageVisibilityBatch: batchOf({ ReceiptHandle: z.string(), VisibilityTimeout: visibilitySeconds }),
  GetQueueUrl: z.object({ QueueName: z.string() }),
  GetQueueAttributes: z.object({ QueueUrl: z.string(), AttributeNames: z.array(z.string()).default([]) }),
  ListQueues: z.object({ QueueNamePrefix: z.string().default('') }),
  PurgeQueue: z.object({ QueueUrl: z.string() }),
} as const;

export type QueueOperation = keyof typeof queueRequests;

/** The parsed request of one operation. */
export type QueueRequest<Operation extends QueueOperation> = z.output<(typeof queueRequests)[Operation]>;
