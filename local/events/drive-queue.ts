import { setTimeout } from 'node:timers/promises';
import { md5 } from '../queues/message-digest.ts';
import { systemAttributes } from '../queues/receive-message.ts';
import type { QueueDefinition, QueueStore, ReceivedMessage, Take } from '../queues/queue-types.ts';
import type { FunctionDefinition } from '../host/function-definition.ts';
import type { FunctionHost, Invocation } from '../host/host-contracts.ts';

/** An event source mapping from a queue to a function. */
export interface QueueMapping {
  readonly queueArn: string;
  readonly functionArn: string;
  readonly batchSize: number;
  /** Null for no bound of its own. */
  readonly maximumConcurrency: number | null;
  /** Whether the function's answer names the messages that failed. */
  readonly reportsBatchItemFailures: boolean;
}

/** https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
const recordOf = (queue: QueueDefinition, accountId: string, message: ReceivedMessage) => ({
  messageId: message.messageId,
  receiptHandle: message.receipt,
  body: message.body,
  attributes: systemAttributes(message, accountId),
  messageAttributes: Object.fromEntries(
    Object.entries(message.attributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
      name,
      {
        dataType: DataType,
        stringValue: StringValue,
        binaryValue: BinaryValue,
        stringListValues: [],
        binaryListValues: [],
      },
    ]),
  ),
  md5OfBody: md5(message.body),
  eventSource: 'aws:sqs',
  eventSourceARN: queue.arn,
  awsRegion: queue.region,
});

const failedIds = (payload: string): readonly string[] | null => {
  const answer = JSON.parse(payload) as { readonly batchItemFailures?: unknown } | null;
  const failures = answer?.batchItemFailures ?? [];
  const ids: readonly unknown[] = Array.isArray(failures)
    ? failures.map((failure: { readonly itemIdentifier?: unknown } | null) => failure?.itemIdentifier)
    : [null];
  return ids.every((id) => typeof id === 'string') ? ids : null;
};

/**
 * The messages of a batch that are done with. A run that failed, and an answer that makes no sense, leave all of them
 * to their visibility timeout; so does a failure that is not of this batch.
 */
const settledMessages = (
  mapping: Pick<QueueMapping, 'reportsBatchItemFailures'>,
  batch: readonly ReceivedMessage[],
  { outcome }: Pick<Invocation, 'outcome'>,
): readonly ReceivedMessage[] => {
  if (!outcome.ok || !mapping.reportsBatchItemFailures) {
    return outcome.ok ? batch : [];
  }
  const failed = failedIds(outcome.payload);
  const known = new Set(batch.map(({ messageId }) => messageId));
  if (failed === null || failed.some((id) => !known.has(id))) {
    return [];
  }
  return batch.filter(({ messageId }) => !failed.includes(messageId));
};

/** How long a store that cannot be written, such as on a full disk, is left alone. */
const retryMs = 1_000;

/** A running mapping. */
export interface QueueDriver {
  /** Takes no more messages; what runs goes on. */
  readonly stop: () => void;
  readonly stopped: Promise<void>;
}

/** Receives batches; none where the store could not be written, and then a little later. */
const openReceiver =
  (store: QueueStore, queue: QueueDefinition, onError: (error: unknown) => void) =>
  async (take: Take): Promise<readonly ReceivedMessage[]> => {
    try {
      return await store.receive(queue, take);
    } catch (error) {
      onError(error);
      await setTimeout(retryMs, undefined, { signal: take.signal }).catch(() => undefined);
      return [];
    }
  };

/**
 * Feeds a queue to a function until stopped: batches as they come, side by side up to the mapping's and the host's
 * bound, at most one batch of a message group at a time where the queue locks the group. A spare run takes a message of a
 * small group, or of a tenant for whom nothing runs, while all others are busy.
 */
export const driveQueue = (options: {
  readonly mapping: QueueMapping;
  readonly queue: QueueDefinition;
  readonly definition: FunctionDefinition;
  readonly store: QueueStore;
  readonly host: FunctionHost;
  readonly accountId: string;
  readonly onError: (error: unknown) => void;
}): QueueDriver => {
  const { mapping, queue, definition, store, host, onError } = options;
  const bound = Math.min(mapping.maximumConcurrency ?? Infinity, host.concurrency(definition));
  const spare = host.spareConcurrency(definition);
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const receive = openReceiver(store, queue, onError);
  const asked = { max: mapping.batchSize, waitMs: Infinity };

  const handle = async (batch: readonly ReceivedMessage[]): Promise<void> => {
    const Records = batch.map((message) => recordOf(queue, options.accountId, message));
    const invocation = await host.invoke(definition, JSON.stringify({ Records }));
    for (const { receipt } of settledMessages(mapping, batch, invocation)) {
      store.remove(queue, receipt);
    }
  };

  /** The next batch for a spare run; none once another run has ended. */
  const receiveForSpare = async (): Promise<readonly ReceivedMessage[]> => {
    const freed = new AbortController();
    void Promise.race(running).then(() => freed.abort());
    return receive({ ...asked, isSpare: true, signal: AbortSignal.any([stopping.signal, freed.signal]) });
  };

  const drive = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      if (running.size >= bound + spare) {
        await Promise.race(running);
        continue;
      }
      const batch =
        running.size < bound ? await receive({ ...asked, signal: stopping.signal }) : await receiveForSpare();
      if (batch.length > 0) {
        // What could not be removed comes again.
        const done = handle(batch)
          .catch(onError)
          .finally(() => running.delete(done));
        running.add(done);
      }
    }
    await Promise.all(running);
  };

  return { stop: () => stopping.abort(), stopped: drive() };
};
