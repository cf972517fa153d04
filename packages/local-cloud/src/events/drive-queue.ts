import { setTimeout } from 'node:timers/promises';
import { retrySeconds } from '../../../../shared/pipeline/retry-backoff.ts';
import { md5 } from '../queues/message-digest.ts';
import { systemAttributes } from '../queues/receive-message.ts';
import type { QueueDefinition, QueueStore, ReceivedMessage, Take } from '../queues/queue-types.ts';
import type { FunctionDefinition } from '../host/function-definition.ts';
import { hasDied } from '../host/sandbox.ts';
import type { FunctionHost, Invocation } from '../host/host-contracts.ts';

/** An event source mapping from a queue to a function. */
export interface QueueMapping {
  readonly queueArn: string;
  readonly functionArn: string;
  readonly batchSize: number;
  /** Null for no bound of its own. */
  readonly maximumConcurrency: number | null;
  /** Whether the function's response names the messages that failed (`ReportBatchItemFailures`). */
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
 * Returns the messages of a batch to delete. After a failed run, a malformed response or a failure of a message outside
 * the batch, all messages stay until their visibility timeout ends. If the process has died, they return before it.
 */
const completedMessages = (
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

/** Lets the batch of a process that died return: at once at first, then later each time. */
const returnBatch = (store: QueueStore, queue: QueueDefinition, batch: readonly ReceivedMessage[]): void => {
  for (const { receipt, receiveCount } of batch)
    store.defer(queue, receipt, receiveCount === 1 ? 0 : retrySeconds(receiveCount - 1));
};

/** Pause after a failed write to the store, such as on a full disk. */
const retryMs = 1_000;

/** A running mapping. */
export interface QueueDriver {
  /** Receives no more messages; running batches go on. */
  readonly stop: () => void;
  readonly stopped: Promise<void>;
}

/** Receives batches. Resolves to an empty batch after a pause if the store could not be written. */
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
 * Runs a function on the batches of a queue until stopped. The mapping and the host limit the concurrency. A FIFO queue
 * locks each message group for one batch at a time. While all other runs are busy, a spare run takes a message of a small
 * group, or of a tenant without a running batch.
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
    for (const { receipt } of completedMessages(mapping, batch, invocation)) {
      store.remove(queue, receipt);
    }
    const { outcome } = invocation;
    if (!outcome.ok && hasDied(outcome.fault)) returnBatch(store, queue, batch);
  };

  /** Receives the next batch for a spare run; an empty one once another run has ended. */
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
        // Messages that could not be removed are received again.
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
