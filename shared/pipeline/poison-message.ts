import type { SQSRecord } from 'aws-lambda';
import type { Deps, Uses } from '../kernel/capability.ts';
import { retrySeconds } from './retry-backoff.ts';
import type { Delivery, OrderedRetries, QueueControl, RetryCount, Run, Worker } from './worker.ts';

/**
 * Period in which a message is attempted alone. A poison message whose runs fail thus leaves its group within three minutes.
 * If its runs are killed, each takes the timeout of the function, so it leaves after three of them: within five minutes.
 */
const attemptMs = 160_000;
/** Longest pause between two attempts. */
const maxPauseSeconds = 20;
/** Share of the timeout that must remain before a run begins a further message. */
const minRemainingShare = 2 / 3;

export interface RetryInOrder {
  readonly worker: Worker;
  // oxlint-disable-next-line typescript/no-explicit-any -- as the registry has it
  readonly ordered: OrderedRetries<any, any>;
  readonly deps: Deps<Uses>;
  readonly run: Run;
  readonly queue: QueueControl;
  /** Returns null if the message does not match the schema of the worker. */
  readonly read: (record: SQSRecord) => Delivery<unknown> | null;
}

/** Processes one message. Returns its id if it must be retried. Throws the error of a failed run. */
type Attempt = (delivery: Delivery<unknown>) => Promise<readonly string[]>;

const parseOrKeep = (body: string): unknown => {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
};

const pauseOf = (failures: number): number => Math.min(maxPauseSeconds, retrySeconds(failures));

/** Attempts a message alone. Returns the seconds until its next run; null if it is done. */
const attemptAlone = async (
  { ordered, deps, run }: RetryInOrder,
  delivery: Delivery<unknown>,
  { begun, since }: RetryCount,
  attempt: Attempt,
): Promise<number | null> => {
  const failed = await attempt(delivery).catch(() => [delivery.messageId]);
  if (failed.length === 0) return null;
  const { message, messageId } = delivery;
  // A run that does not get here was killed.
  await ordered.noteFailure({ message, messageId, deps, run });
  // The last attempt comes at the end of the period.
  const leftMs = since.getTime() + attemptMs - run.clock.now().getTime();
  return Math.max(1, Math.min(pauseOf(begun + 1), Math.floor(leftMs / 1000)));
};

/** Attempts a message alone, or ends a poison message. Returns the seconds until its next run; null if it is over. */
const retryOne = async (retry: RetryInOrder, record: SQSRecord, attempt: Attempt): Promise<number | null> => {
  const { ordered, deps, run, read } = retry;
  const nowMs = run.clock.now().getTime();
  const delivery = read(record);
  if (delivery === null) {
    const waitedMs = nowMs - Number(record.attributes.ApproximateFirstReceiveTimestamp);
    if (waitedMs <= attemptMs) return pauseOf(Number(record.attributes.ApproximateReceiveCount));
    await ordered.endPoison({ message: parseOrKeep(record.body), mayLookUp: false, deps, run });
    return null;
  }
  const { message, messageId } = delivery;
  const count = await ordered.countRetry({ message, messageId, deps, run });
  const { begun, failed, since } = count;
  const killed = begun - 1 - failed;
  const isInTime = nowMs - since.getTime() <= attemptMs;
  if (killed === 0 && (begun === 1 || isInTime)) return attemptAlone(retry, delivery, count, attempt);
  // The run that looked the message up may have been killed, too.
  await ordered.endPoison({ message, mayLookUp: killed === 0 || (killed === 1 && isInTime), deps, run });
  return null;
};

/**
 * Retry policy of the log, and of every FIFO queue. After a failure, the messages of a group are processed one at a time,
 * in order. Each is deleted as soon as it is done, so that only the message at the head can have killed a run. Messages of
 * other groups return to the queue first, so that a run which this group may kill holds none of them. Returns the records
 * to retry.
 */
export const retryInOrder = async (
  retry: RetryInOrder,
  records: readonly SQSRecord[],
  attempt: Attempt,
): Promise<readonly SQSRecord[]> => {
  const { worker, run, queue } = retry;
  const hide = (record: SQSRecord, seconds: number): Promise<boolean> =>
    queue.hideFor(record.eventSourceARN, record.receiptHandle, seconds);
  const groupOf = ({ attributes }: SQSRecord): string | undefined => attributes.MessageGroupId;
  const group = records.filter((record) => groupOf(record) === (records[0] && groupOf(records[0])));
  const others = records.filter((record) => !group.includes(record));
  await Promise.all(others.map((record) => hide(record, 0)));
  for (const [at, record] of group.entries()) {
    const isShort = at > 0 && run.remainingMs() < worker.timeoutSeconds * 1000 * minRemainingShare;
    const pause = isShort
      ? 0
      : await retryOne(retry, record, attempt).catch((error: unknown) => {
          run.log.error('message.retry.failed', { message_id: record.messageId, error });
          return pauseOf(Number(record.attributes.ApproximateReceiveCount));
        });
    if (pause !== null) {
      const left = group.slice(at);
      for (const [place, waiting] of left.entries()) await hide(waiting, place === 0 ? pause : 0);
      return [...left, ...others];
    }
    await queue.remove(record.eventSourceARN, record.receiptHandle);
  }
  return others;
};
