import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { type Deps, makeDeps, type Runtime, type Uses } from '../kernel/capability.ts';
import { idsOf, type Logger } from '../kernel/log.ts';
import { queues } from '../kernel/names.ts';
import { retryInOrder } from './poison-message.ts';
import { retrySeconds } from './retry-backoff.ts';
import {
  type Delivery,
  type QueueControl,
  renewalMs,
  renewedSeconds,
  renewsVisibility,
  type Run,
  type Schedule,
  type Service,
  visibilitySecondsOf,
  type Worker,
} from './worker.ts';

interface Host {
  readonly runtime: Runtime;
}

const attemptOf = (record: SQSRecord): number => Number(record.attributes.ApproximateReceiveCount);

const runOf = (host: Host, context: Context, attempt: number): Run => ({
  clock: host.runtime.clock,
  log: host.runtime.log,
  invocationId: context.awsRequestId,
  attempt,
  memoryMb: Number(context.memoryLimitInMB),
  remainingMs: () => context.getRemainingTimeInMillis(),
});

/** Ids of a failed message, for the log. */
const identifiersOf = ({ about = idsOf }: Worker, { message, messageId, attempt }: Delivery<unknown>) => ({
  ...about(message),
  message_id: messageId,
  attempt,
});

/** Whether a message has used up its attempts. */
const hasExhaustedRetries = ({ attempts }: Worker, attempt: number): boolean => attempt > attempts;

const parse = (worker: Worker, record: SQSRecord, log: Logger): Delivery<unknown> | null => {
  try {
    const message: unknown = worker.message.parse(JSON.parse(record.body));
    return { message, messageId: record.messageId, attempt: attemptOf(record) };
  } catch (error) {
    log.error('message.parse.failed', { worker: worker.id, message_id: record.messageId, error });
    return null;
  }
};

/**
 * Returns the messages that this version of the worker can parse. During a deployment, a newer function may have sent a
 * message: it waits, and on a FIFO queue the rest of its group waits with it.
 */
const readable = (worker: Worker, records: readonly SQSRecord[], log: Logger): readonly Delivery<unknown>[] => {
  const ordered = queues[worker.queue].fifo;
  const read = records.map((record) => ({
    group: ordered ? record.attributes.MessageGroupId : undefined,
    delivery: parse(worker, record, log),
  }));
  const waiting = new Set(read.flatMap(({ group, delivery }) => (delivery === null ? [group] : [])));
  return read.flatMap(({ group, delivery }) =>
    delivery === null || (group !== undefined && waiting.has(group)) ? [] : [delivery],
  );
};

/** Whether the visibility timeout of a message may end before a run that begins now. */
const isLate = (worker: Worker, { attributes }: SQSRecord, now: Date): boolean => {
  const heldMs = now.getTime() - Number(attributes.ApproximateFirstReceiveTimestamp);
  return heldMs > (visibilitySecondsOf(worker) - worker.timeoutSeconds) * 1000;
};

type WorkerHost = Host & { readonly queue: QueueControl };

/** Functions of a worker that process messages. Each returns the ids of failed messages. */
const openAttempts = (worker: Worker, host: WorkerHost, deps: Deps<Uses>) => {
  /** Throws the error of a failed run. */
  const attempt = async (deliveries: readonly Delivery<unknown>[], context: Context): Promise<readonly string[]> => {
    try {
      const run = runOf(host, context, Math.max(...deliveries.map((delivery) => delivery.attempt)));
      return await worker.handle({ deliveries, deps, run });
    } catch (error) {
      const messages = deliveries.map((delivery) => identifiersOf(worker, delivery));
      host.runtime.log.error('worker.run.failed', { worker: worker.id, messages, error });
      throw error;
    }
  };

  const work = async (deliveries: readonly Delivery<unknown>[], context: Context): Promise<readonly string[]> =>
    deliveries.length === 0
      ? []
      : attempt(deliveries, context).catch(() => deliveries.map(({ messageId }) => messageId));

  /**
   * Retries a message of an exhausted batch once more, alone. Another message may have caused the failures, or Lambda may
   * have been throttled. Returns whether the retry succeeded.
   */
  const retryAlone = async (delivery: Delivery<unknown>, context: Context): Promise<boolean> =>
    worker.batchSize > 1 && delivery.attempt === worker.attempts + 1 && (await work([delivery], context)).length === 0;

  const finishExhausted = async (
    exhausted: readonly Delivery<unknown>[],
    context: Context,
  ): Promise<readonly string[]> => {
    const failed: string[] = [];
    for (const delivery of exhausted) {
      const { message, messageId, attempt } = delivery;
      try {
        if (await retryAlone(delivery, context)) continue;
        await worker.onExhausted({ message, deps, run: runOf(host, context, attempt) });
      } catch (error) {
        const what = { worker: worker.id, ...identifiersOf(worker, delivery), error };
        host.runtime.log.error('worker.exhausted.failed', what);
        failed.push(messageId);
      }
    }
    return failed;
  };

  return { attempt, work, finishExhausted };
};

/** Extends the visibility timeout of the messages if the platform started the run late. Returns false if it has expired. */
const extendVisibility = async (
  worker: Worker,
  { runtime, queue }: WorkerHost,
  records: readonly SQSRecord[],
): Promise<boolean> => {
  if (!records.some((record) => isLate(worker, record, runtime.clock.now()))) return true;
  const held = records.map(({ eventSourceARN, receiptHandle }) =>
    queue.hideFor(eventSourceARN, receiptHandle, visibilitySecondsOf(worker)),
  );
  return (await Promise.all(held)).every(Boolean);
};

/**
 * Hides the messages of a long run for a minute at a time while it lasts. Those of a run that dies therefore return within
 * a minute, in place of the visibility timeout of the queue. Returns the function that ends the renewal.
 */
const keepHidden = (worker: Worker, { queue }: WorkerHost, records: readonly SQSRecord[]): (() => Promise<void>) => {
  if (!renewsVisibility(worker)) return () => Promise.resolve();
  const renew = async (): Promise<void> => {
    await Promise.allSettled(
      records.map(({ eventSourceARN, receiptHandle }) => queue.hideFor(eventSourceARN, receiptHandle, renewedSeconds)),
    );
  };
  let renewing = renew();
  const timer = setInterval(() => {
    renewing = renew();
  }, renewalMs);
  return async () => {
    clearInterval(timer);
    // Otherwise it could undo the delay of a retry.
    await renewing;
  };
};

const asFailures = (records: readonly SQSRecord[]): SQSBatchResponse => ({
  batchItemFailures: records.map(({ messageId }) => ({ itemIdentifier: messageId })),
});

/**
 * Returns the handler of a worker's queue. It processes messages that have attempts left and calls `onExhausted` for the
 * others. Failed messages are retried with backoff, before their visibility timeout ends. Dead letter handling: a message
 * moves to the dead-letter queue only if `onExhausted` has failed as often as the queue allows.
 */
export const handleWorker = (
  worker: Worker,
  host: WorkerHost,
  deps: Deps<Uses> = makeDeps(worker.uses, host.runtime),
) => {
  const { attempt, work, finishExhausted } = openAttempts(worker, host, deps);
  return async ({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    if (!(await extendVisibility(worker, host, Records))) return asFailures(Records);
    if (worker.ordered !== undefined && Records.some((record) => attemptOf(record) > 1)) {
      const { runtime, queue } = host;
      const read = (record: SQSRecord): Delivery<unknown> | null => parse(worker, record, runtime.log);
      const run = runOf(host, context, Math.max(...Records.map(attemptOf)));
      const retry = { worker, ordered: worker.ordered, deps, run, queue, read };
      return asFailures(await retryInOrder(retry, Records, (delivery) => attempt([delivery], context)));
    }
    const deliveries = readable(worker, Records, host.runtime.log);
    const exhausted = deliveries.filter(({ attempt }) => hasExhaustedRetries(worker, attempt));
    const fresh = deliveries.filter(({ attempt }) => !hasExhaustedRetries(worker, attempt));
    const stopRenewal = keepHidden(worker, host, Records);
    const failed = new Set([...(await finishExhausted(exhausted, context)), ...(await work(fresh, context))]);
    await stopRenewal();
    const done = new Set(deliveries.map(({ messageId }) => messageId)).difference(failed);
    const again = Records.filter(({ messageId }) => !done.has(messageId));
    await Promise.all(
      again.map((record) => {
        const received = attemptOf(record);
        const failures = hasExhaustedRetries(worker, received) ? received - worker.attempts : received;
        return host.queue.hideFor(record.eventSourceARN, record.receiptHandle, retrySeconds(failures));
      }),
    );
    return asFailures(again);
  };
};

/** Returns the handler of a service. An error reaches the caller as a failed invocation. */
export const handleService = (service: Service, host: Host) => {
  const deps = makeDeps(service.uses, host.runtime);
  return async (request: unknown, context: Context): Promise<unknown> =>
    service.handle({ request: service.request.parse(request) as unknown, deps, run: runOf(host, context, 1) });
};

/** Returns the handler of a schedule. */
export const handleSchedule = (schedule: Schedule, host: Host) => {
  const deps = makeDeps(schedule.uses, host.runtime);
  return (context: Context): Promise<void> => schedule.handle({ deps, run: runOf(host, context, 1) });
};
