import { randomUUID } from 'node:crypto';
import type { MessageRow, MessageTable } from './message-table.ts';
import type { MessageAttributes } from './queue-requests.ts';
import type { QueueDefinition, ReceivedMessage } from './queue-types.ts';

/** The next rows that a receive may look at: of one group where the queue is FIFO, else of all groups in turn. */
const candidates = ({ statements }: MessageTable, queue: QueueDefinition, now: number, count: number) => {
  if (!queue.fifo) {
    return statements.visibleInTurn.all({ queue: queue.arn, now, count }) as unknown as MessageRow[];
  }
  const group = statements.nextGroup.get({ queue: queue.arn, now })?.['group_id'];
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
 * Takes messages that are visible at `now`, in group order where the queue is FIFO. `redriven`: how many went to the
 * dead-letter queue instead.
 */
export const takeMessages = (
  table: MessageTable,
  queue: QueueDefinition,
  max: number,
  visibilitySeconds: number,
  now: number,
): { readonly received: readonly ReceivedMessage[]; readonly redriven: number } => {
  const received: ReceivedMessage[] = [];
  let redriven = 0;
  for (;;) {
    const rows = received.length < max ? candidates(table, queue, now, max - received.length) : [];
    if (rows.length === 0) {
      return { received, redriven };
    }
    for (const row of rows) {
      if (queue.redrive !== null && row.receive_count >= queue.redrive.maxReceiveCount) {
        table.statements.move.run({ queue: queue.redrive.deadLetterArn, sequence: row.sequence });
        redriven += 1;
      } else {
        received.push(take(table, row, now, now + visibilitySeconds * 1000));
      }
    }
    if (visibilitySeconds === 0) {
      return { received, redriven };
    }
  }
};
