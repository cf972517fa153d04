import { randomUUID } from 'node:crypto';
import type { MessageRow, MessageTable } from './message-table.ts';
import type { MessageAttributes } from './queue-requests.ts';
import type { NoisyGroups, WaitingGroup } from './noisy-groups.ts';
import type { QueueDefinition, ReceivedMessage } from './queue-types.ts';

/** Options of the choice of the next messages. */
export interface TakeOptions {
  readonly max: number;
  readonly visibilitySeconds: number;
  /** Whether to take only messages of small groups that have nothing in flight. */
  readonly isSpare: boolean;
  readonly noisy: NoisyGroups;
}

/** Maximum of a group's messages for a spare receiver to take one of them. */
const maxSpareBacklog = 2;

interface WaitingRow {
  readonly sequence: number;
  readonly group_id: string | null;
  readonly visible_at: number;
  readonly in_flight: number;
}

const toWaiting = (rows: readonly WaitingRow[]): readonly WaitingGroup[] => {
  const toCandidate = ({ sequence, visible_at: visibleAt }: WaitingRow) => ({ sequence, visibleAt });
  return [...Map.groupBy(rows, ({ group_id }) => group_id)].flatMap(([group, some]): readonly WaitingGroup[] =>
    group === null
      ? some.map((row) => ({ group, inFlight: 0, waiting: [toCandidate(row)] }))
      : [{ group, inFlight: some[0]?.in_flight ?? 0, waiting: some.map(toCandidate) }],
  );
};

/** Returns the next messages of a standard queue, whose message groups alternate. */
const nextInTurn = (
  { statements }: MessageTable,
  queue: QueueDefinition,
  now: number,
  count: number,
  { isSpare, noisy }: TakeOptions,
): readonly MessageRow[] => {
  const looked = isSpare ? Math.max(count, maxSpareBacklog + 1) : count;
  const rows = statements.waitingByGroup.all({ queue: queue.arn, now, count: looked }) as unknown as WaitingRow[];
  const groups = toWaiting(rows).filter(
    ({ inFlight, waiting }) => !isSpare || (inFlight === 0 && waiting.length <= maxSpareBacklog),
  );
  return noisy
    .choose(groups, count, now)
    .map(({ sequence }) => statements.bySequence.get({ sequence }) as unknown as MessageRow);
};

/** Returns the next rows for a receive: of one group if the queue is FIFO, else of all groups alternately. */
const candidates = (
  table: MessageTable,
  queue: QueueDefinition,
  now: number,
  count: number,
  options: TakeOptions,
): readonly MessageRow[] => {
  const { statements } = table;
  if (!queue.fifo) return nextInTurn(table, queue, now, count, options);
  const group = statements.nextGroup.get({ queue: queue.arn, now, isSpare: Number(options.isSpare) })?.['group_id'];
  return group === undefined
    ? []
    : (statements.visibleOfGroup.all({ queue: queue.arn, group, now, count }) as unknown as MessageRow[]);
};

const take = (table: MessageTable, row: MessageRow, now: number, visibleAt: number): ReceivedMessage => {
  const receipt = `${row.sequence}.${randomUUID()}`;
  table.statements.take.run({ receipt, visibleAt, now, sequence: row.sequence });
  return {
    receipt,
    messageId: row.message_id,
    sequence: row.sequence,
    body: row.body,
    attributes: JSON.parse(row.attributes) as MessageAttributes,
    groupId: row.group_id,
    deduplicationId: row.deduplication_id,
    sentAtMs: row.sent_at,
    firstReceivedAtMs: row.first_received_at ?? now,
    receiveCount: row.receive_count + 1,
  };
};

/**
 * Takes messages that are visible at `now`; of a FIFO queue in group order. `redriven`: number of messages that went to
 * the dead-letter queue instead.
 */
export const takeMessages = (
  table: MessageTable,
  queue: QueueDefinition,
  options: TakeOptions,
  now: number,
): { readonly received: readonly ReceivedMessage[]; readonly redriven: number } => {
  const { max, visibilitySeconds, noisy } = options;
  const received: ReceivedMessage[] = [];
  let redriven = 0;
  for (;;) {
    const rows = received.length < max ? candidates(table, queue, now, max - received.length, options) : [];
    if (rows.length === 0) {
      return { received, redriven };
    }
    for (const row of rows) {
      if (queue.redrive !== null && row.receive_count >= queue.redrive.maxReceiveCount) {
        table.statements.move.run({ queue: queue.redrive.deadLetterArn, sequence: row.sequence });
        redriven += 1;
      } else {
        const visibleAt = now + visibilitySeconds * 1000;
        received.push(take(table, row, now, visibleAt));
        noisy.onTaken(row.sequence, row.group_id, now, visibleAt);
      }
    }
    if (visibilitySeconds === 0) {
      return { received, redriven };
    }
  }
};
