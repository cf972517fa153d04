import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Clock } from '../../../../shared/kernel/clock.ts';
import { hourMs } from '../../../../shared/kernel/durations.ts';
import { memoizePerKey } from '../../../../shared/kernel/memoize.ts';
import { tenantAttribute } from '../../../../shared/kernel/names.ts';
import { repeatUpkeep } from '../data/repeat-upkeep.ts';
import { deduplicationKey, deduplicationMs } from './deduplication-key.ts';
import { followClock } from './follow-clock.ts';
import { openMessageTable, type MessageTable } from './message-table.ts';
import { type NoisyGroups, openNoisyGroups } from './noisy-groups.ts';
import type {
  OutgoingMessage,
  QueueDefinition,
  QueueDepth,
  QueueStore,
  ReceivedMessage,
  SentMessage,
  Take,
} from './queue-types.ts';
import { takeMessages, type TakeOptions } from './take-messages.ts';
import { waitForEvent } from './wait-for-event.ts';

const upkeepMs = hourMs;

interface StoreState {
  readonly table: MessageTable;
  readonly nowMs: () => number;
  readonly arrivals: EventEmitter;
  readonly byArn: ReadonlyMap<string, QueueDefinition>;
  readonly noisyGroups: (arn: string) => NoisyGroups;
}

const insert = (
  { statements }: MessageTable,
  queue: QueueDefinition,
  message: OutgoingMessage,
  now: number,
): SentMessage => {
  const key = queue.fifo ? deduplicationKey(queue, message) : null;
  const earlier = key === null ? undefined : statements.duplicateOf.get({ queue: queue.arn, id: key, now });
  if (earlier !== undefined) {
    return { messageId: String(earlier['message_id']), sequence: Number(earlier['sequence']) };
  }
  const messageId = randomUUID();
  const { lastInsertRowid } = statements.insert.run({
    queue: queue.arn,
    messageId,
    body: message.body,
    attributes: JSON.stringify(message.attributes ?? {}),
    groupId: message.groupId ?? null,
    deduplicationId: message.deduplicationId ?? key,
    sentAt: now,
    visibleAt: now + (message.delaySeconds ?? queue.delaySeconds) * 1000,
    tenant: message.attributes?.[tenantAttribute]?.StringValue ?? null,
  });
  const sequence = Number(lastInsertRowid);
  if (key !== null) {
    statements.remember.run({ queue: queue.arn, id: key, messageId, sequence, expiresAt: now + deduplicationMs });
  }
  return { messageId, sequence };
};

/** Returns sequence and visibility end of the message of a valid receipt. */
const heldBy = ({ table }: StoreState, queue: QueueDefinition, receipt: string) => {
  const sequence = Number.parseInt(receipt, 10);
  const row = Number.isNaN(sequence) ? undefined : table.statements.held.get({ sequence, queue: queue.arn, receipt });
  return row === undefined ? null : { sequence, visibleAt: Number(row['visible_at']) };
};

const depth = (state: StoreState, queue: QueueDefinition): QueueDepth => {
  const row = state.table.statements.depth.get({ queue: queue.arn, now: state.nowMs() }) ?? {};
  return { visible: Number(row['visible']), inFlight: Number(row['in_flight']), delayed: Number(row['delayed']) };
};

const upkeep = (state: StoreState): void => {
  const { expire, forget } = state.table.statements;
  const now = state.nowMs();
  forget.run({ now });
  for (const { arn, retentionSeconds } of state.byArn.values()) {
    expire.run({ queue: arn, before: now - retentionSeconds * 1000 });
  }
};

/** Signals that a message was added, deleted or returned, so that waiting receives check the queue again. */
const signal = (state: StoreState, arn: string): void => {
  state.arrivals.emit(arn);
};

const receiveAndSignal = (
  state: StoreState,
  queue: QueueDefinition,
  options: Omit<TakeOptions, 'noisy'>,
  now: number,
): readonly ReceivedMessage[] => {
  const noisy = state.noisyGroups(queue.arn);
  const { received, redriven } = state.table.transaction(() =>
    takeMessages(state.table, queue, { ...options, noisy }, now),
  );
  if (redriven > 0 && queue.redrive !== null) {
    signal(state, queue.redrive.deadLetterArn);
  }
  return received;
};

/** Milliseconds from `now` until the next message becomes visible; `Infinity` if there is none. */
const nextVisibleMs = ({ table }: StoreState, queue: QueueDefinition, now: number): number => {
  const at = table.statements.nextVisible.get({ queue: queue.arn, now })?.['at'] ?? null;
  return at === null ? Infinity : Number(at) - now;
};

const receiveOrWait = async (
  state: StoreState,
  queue: QueueDefinition,
  { max, visibilitySeconds = queue.visibilityTimeoutSeconds, isSpare = false, waitMs, signal: aborted }: Take,
): Promise<readonly ReceivedMessage[]> => {
  const endsAt = performance.now() + waitMs;
  while (!aborted.aborted) {
    // One time for both steps: otherwise a message that becomes visible between them would be missed.
    const now = state.nowMs();
    const received = receiveAndSignal(state, queue, { max, visibilitySeconds, isSpare }, now);
    const leftMs = endsAt - performance.now();
    if (received.length > 0 || leftMs <= 0) {
      return received;
    }
    await waitForEvent(state.arrivals, queue.arn, aborted, Math.min(leftMs, nextVisibleMs(state, queue, now)));
  }
  return [];
};

/** Records that a receiver returned or deleted a message. */
const noteReturned = (state: StoreState, queue: QueueDefinition, sequence: number, now: number): void => {
  const isDrained = (group: string): boolean =>
    state.table.statements.anyOfGroup.get({ queue: queue.arn, group }) === undefined;
  state.noisyGroups(queue.arn).onReturned(sequence, isDrained, now);
};

const remove = (state: StoreState, queue: QueueDefinition, receipt: string): boolean => {
  const held = heldBy(state, queue, receipt);
  if (held !== null) {
    state.table.statements.remove.run({ sequence: held.sequence });
    noteReturned(state, queue, held.sequence, state.nowMs());
    signal(state, queue.arn);
  }
  return held !== null;
};

const defer = (state: StoreState, queue: QueueDefinition, receipt: string, seconds: number): boolean => {
  const now = state.nowMs();
  const held = heldBy(state, queue, receipt);
  if (held === null || held.visibleAt <= now) {
    return false;
  }
  state.table.statements.defer.run({ sequence: held.sequence, visibleAt: now + seconds * 1000 });
  if (seconds === 0) noteReturned(state, queue, held.sequence, now);
  signal(state, queue.arn);
  return true;
};

/**
 * Opens the queues on `file`. Messages survive a crash of the process; those in flight are visible again at once. Throws
 * if the file cannot be opened.
 */
export const openQueueStore = (options: {
  readonly file: string;
  readonly queues: readonly QueueDefinition[];
  readonly clock: Clock;
  /** Gets errors of periodic upkeep. */
  readonly onError: (error: unknown) => void;
}): QueueStore => {
  const table = openMessageTable(options.file);
  const state: StoreState = {
    table,
    nowMs: followClock(table, options.clock),
    arrivals: new EventEmitter().setMaxListeners(0),
    noisyGroups: memoizePerKey((_arn: string) => openNoisyGroups()),
    byArn: new Map(options.queues.map((queue) => [queue.arn, queue])),
  };
  const byName = new Map(options.queues.map((queue) => [`${queue.region}/${queue.name}`, queue]));
  upkeep(state);
  const stopUpkeep = repeatUpkeep(() => upkeep(state), upkeepMs, options.onError);
  return {
    definitions: options.queues,
    find: (region, name) => byName.get(`${region}/${name}`),
    send: (queue, message) => {
      const now = state.nowMs();
      const sent = table.transaction(() => insert(table, queue, message, now));
      signal(state, queue.arn);
      return sent;
    },
    receive: (queue, take) => receiveOrWait(state, queue, take),
    remove: (queue, receipt) => remove(state, queue, receipt),
    defer: (queue, receipt, seconds) => defer(state, queue, receipt, seconds),
    depth: (queue) => depth(state, queue),
    purge: (queue) => {
      table.statements.purge.run({ queue: queue.arn });
      state.noisyGroups(queue.arn).onPurged();
    },
    copyTo: table.copyTo,
    close: () => {
      stopUpkeep();
      state.arrivals.removeAllListeners();
      table.close();
    },
  };
};
