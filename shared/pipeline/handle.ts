import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { makeDeps, type Runtime } from '../kernel/capability.ts';
import type { Logger } from '../kernel/log.ts';
import type { Delivery, Run, Schedule, Service, Worker } from './worker.ts';

interface Host {
  readonly runtime: Runtime;
}

/** Brings a failed message back after a pause instead of after the whole visibility timeout. */
export interface QueueControl {
  retryIn(queueArn: string, receiptHandle: string, seconds: number): Promise<void>;
}

const firstRetrySeconds = 2;
const longestRetrySeconds = 60;

/** @param failures How often in a row it has failed, at least once. */
const retrySeconds = (failures: number): number =>
  Math.min(longestRetrySeconds, firstRetrySeconds * 2 ** (failures - 1));

const attemptOf = (record: SQSRecord): number => Number(record.attributes.ApproximateReceiveCount);

const runOf = (host: Host, context: Context, attempt: number): Run => ({
  clock: host.runtime.clock,
  log: host.runtime.log,
  invocationId: context.awsRequestId,
  attempt,
  remainingMs: () => context.getRemainingTimeInMillis(),
});

/** Whether a message has used up its attempts, so that its failure is to be made final. */
const isWornOut = ({ attempts }: Worker, attempt: number): boolean => attempt > attempts;

const parse = (worker: Worker, records: readonly SQSRecord[], log: Logger): readonly Delivery<unknown>[] =>
  records.flatMap((record) => {
    try {
      const message: unknown = worker.message.parse(JSON.parse(record.body));
      return [{ message, messageId: record.messageId, attempt: attemptOf(record) }];
    } catch (error) {
      // No retry can mend it: nobody but this deployment's own functions may send here.
      log.error('message dropped: it does not have the worker’s form', {
        worker: worker.id,
        message_id: record.messageId,
        error,
      });
      return [];
    }
  });

/**
 * The handler of a worker's queue: works on messages that have attempts left and makes the failure of all others final.
 * Failed messages come again, sooner than their visibility ends.
 */
export const handleWorker = (worker: Worker, host: Host & { readonly queue: QueueControl }) => {
  const deps = makeDeps(worker.uses, host.runtime);

  const finish = async (wornOut: readonly Delivery<unknown>[], context: Context): Promise<readonly string[]> => {
    const failed: string[] = [];
    for (const { message, messageId, attempt } of wornOut) {
      try {
        await worker.onTerminal({ message, deps, run: runOf(host, context, attempt) });
      } catch (error) {
        host.runtime.log.error('the failure of a message could not be made final', {
          worker: worker.id,
          message_id: messageId,
          error,
        });
        failed.push(messageId);
      }
    }
    return failed;
  };

  const work = async (deliveries: readonly Delivery<unknown>[], context: Context): Promise<readonly string[]> => {
    if (deliveries.length === 0) return [];
    try {
      const run = runOf(host, context, Math.max(...deliveries.map(({ attempt }) => attempt)));
      return await worker.handle({ deliveries, deps, run });
    } catch (error) {
      host.runtime.log.error('run failed', { worker: worker.id, error });
      return deliveries.map(({ messageId }) => messageId);
    }
  };

  return async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const deliveries = parse(worker, event.Records, host.runtime.log);
    const wornOut = deliveries.filter(({ attempt }) => isWornOut(worker, attempt));
    const fresh = deliveries.filter(({ attempt }) => !isWornOut(worker, attempt));
    const failed = new Set([...(await finish(wornOut, context)), ...(await work(fresh, context))]);
    const again = event.Records.filter(({ messageId }) => failed.has(messageId));
    await Promise.all(
      again.map((record) => {
        const attempt = attemptOf(record);
        const failures = isWornOut(worker, attempt) ? attempt - worker.attempts : attempt;
        return host.queue.retryIn(record.eventSourceARN, record.receiptHandle, retrySeconds(failures));
      }),
    );
    return { batchItemFailures: again.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
};

/** The handler of a service: what it throws reaches the caller as a failed invocation. */
export const handleService = (service: Service, host: Host) => {
  const deps = makeDeps(service.uses, host.runtime);
  return async (request: unknown, context: Context): Promise<unknown> =>
    service.handle({ request: service.request.parse(request) as unknown, deps, run: runOf(host, context, 1) });
};

/** The handler of a schedule. */
export const handleSchedule = (schedule: Schedule, host: Host) => {
  const deps = makeDeps(schedule.uses, host.runtime);
  return (context: Context): Promise<void> => schedule.handle({ deps, run: runOf(host, context, 1) });
};
