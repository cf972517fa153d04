import type { SQSRecord } from 'aws-lambda';
import type { Deps, Uses } from '../kernel/capability.ts';
import { idsOf } from '../kernel/log.ts';
import { retrySeconds } from './retry-backoff.ts';
import type { Delivery, OrderedRetries, QueueControl, Run, Worker } from './worker.ts';

/** Period in which a message is attempted alone. The first attempt alone may begin later. */
const attemptMs = 60_000;
/** The same for a message that fails transiently. */
const transientMs = 165_000;
/** Longest pause after a transient failure. */
const maxTransientPauseSeconds = 20;
/** Period in which a message is reconciled in its group. It leaves the group within five minutes, killed runs included. */
const reconcileMs = 185_000;
/** Period after which a message that this version cannot parse is handed off. */
const unreadableMs = 240_000;
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

/** Reconciles a message in its group. Hands off the remaining message, or all of it if that fails. */
const reconcile = async ({ ordered, deps, run }: RetryInOrder, message: unknown): Promise<void> => {
  let left: unknown = message;
  try {
    left = await ordered.reconcile({ message, deps, run });
  } catch (error) {
    run.log.error('message.reconcile.failed', { ...idsOf(message), error });
  }
  if (left !== null) await ordered.handOff({ message: left, deps, run });
};

/** Attempts a message alone. Returns the seconds until its next run; null if it is done. */
const attemptAlone = async (
  { ordered, deps, run }: RetryInOrder,
  { message, messageId }: Delivery<unknown>,
  begun: number,
  attempt: () => Promise<readonly string[]>,
): Promise<number | null> => {
  const pause = retrySeconds(begun + 1);
  try {
    return (await attempt()).length === 0 ? null : pause;
  } catch (error) {
    if (!ordered.isTransient(error)) return pause;
    await ordered.noteTransient({ message, messageId, begun, deps, run });
    return Math.min(pause, maxTransientPauseSeconds);
  }
};

/** Attempts a message alone, or ends it if its retries are exhausted. Returns the seconds until its next run; null if it ended. */
const retryOne = async (retry: RetryInOrder, record: SQSRecord, attempt: Attempt): Promise<number | null> => {
  const { ordered, deps, run, read } = retry;
  const nowMs = run.clock.now().getTime();
  const receives = Number(record.attributes.ApproximateReceiveCount);
  const delivery = read(record);
  if (delivery === null) {
    const waitedMs = nowMs - Number(record.attributes.ApproximateFirstReceiveTimestamp);
    if (waitedMs <= unreadableMs) return retrySeconds(receives);
    await ordered.handOff({ message: parseOrKeep(record.body), deps, run });
    return null;
  }
  const { message, messageId } = delivery;
  const { begun, since, isTransient } = await ordered.countRetry({ message, messageId, deps, run });
  const elapsedMs = nowMs - since.getTime();
  if (begun === 1 || elapsedMs <= (isTransient ? transientMs : attemptMs))
    return attemptAlone(retry, delivery, begun, () => attempt(delivery));
  if (elapsedMs <= reconcileMs) await reconcile(retry, message);
  else await ordered.handOff({ message, deps, run });
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
          return retrySeconds(Number(record.attributes.ApproximateReceiveCount));
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
