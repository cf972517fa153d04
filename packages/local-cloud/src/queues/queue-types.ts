import type { MessageAttributes } from './queue-requests.ts';

/** A queue as its template describes it. Durations are in seconds, sizes in bytes. */
export interface QueueDefinition {
  readonly arn: string;
  readonly name: string;
  readonly region: string;
  readonly fifo: boolean;
  /** A FIFO message without a deduplication id takes the SHA-256 of its body. */
  readonly contentBasedDeduplication: boolean;
  readonly deduplicationScope: 'queue' | 'messageGroup';
  readonly delaySeconds: number;
  readonly visibilityTimeoutSeconds: number;
  readonly maximumMessageBytes: number;
  readonly retentionSeconds: number;
  /** Default wait of a receive for a first message. */
  readonly receiveWaitSeconds: number;
  /** Dead-letter queue of messages that were received `maxReceiveCount` times. */
  readonly redrive: { readonly deadLetterArn: string; readonly maxReceiveCount: number } | null;
}

/** Address of a queue at the local endpoint; the region travels in the request's signature. */
export const queueUrl = (endpointUrl: string, accountId: string, name: string): string =>
  `${endpointUrl}/${accountId}/${name}`;

/** A message to send to a queue. */
export interface OutgoingMessage {
  readonly body: string;
  readonly attributes?: MessageAttributes;
  readonly delaySeconds?: number | undefined;
  readonly groupId?: string | undefined;
  readonly deduplicationId?: string | undefined;
}

export interface SentMessage {
  readonly messageId: string;
  /** Position in a FIFO queue; for a duplicate, that of the message that it repeats. */
  readonly sequence: number;
}

/** A message in flight, until `receipt` is removed or its visibility timeout ends. */
export interface ReceivedMessage {
  readonly receipt: string;
  readonly messageId: string;
  readonly sequence: number;
  readonly body: string;
  readonly attributes: MessageAttributes;
  readonly groupId: string | null;
  readonly deduplicationId: string | null;
  readonly sentAtMs: number;
  readonly firstReceivedAtMs: number;
  /** 1 for the first receive. */
  readonly receiveCount: number;
}

export interface QueueDepth {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
}

/** Options of a receive. */
export interface Take {
  readonly max: number;
  /** Visibility timeout; default: that of the queue. */
  readonly visibilitySeconds?: number | undefined;
  /** Whether to take only messages of small groups with nothing in flight, for a receiver that is kept free for them. */
  readonly isSpare?: boolean;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** All queues of the one machine, kept in one file. */
export interface QueueStore {
  readonly definitions: readonly QueueDefinition[];
  readonly find: (region: string, name: string) => QueueDefinition | undefined;
  readonly send: (queue: QueueDefinition, message: OutgoingMessage) => SentMessage;
  /**
   * Takes messages; of a FIFO queue in group order. Those whose receives are exhausted go to the dead-letter queue. Waits
   * for a first message for at most `waitMs`, or until `signal` aborts, and resolves to an empty list then.
   */
  readonly receive: (queue: QueueDefinition, take: Take) => Promise<readonly ReceivedMessage[]>;
  /** Deletes a received message. A receipt that a later receive has replaced deletes nothing. */
  readonly remove: (queue: QueueDefinition, receipt: string) => boolean;
  /** Moves the visibility timeout of a message in flight to `seconds` from now; false if it is not in flight. */
  readonly defer: (queue: QueueDefinition, receipt: string, seconds: number) => boolean;
  readonly depth: (queue: QueueDefinition) => QueueDepth;
  readonly purge: (queue: QueueDefinition) => void;
  /** Writes a copy of all messages to a file that does not exist. */
  readonly copyTo: (file: string) => void;
  readonly close: () => void;
}
