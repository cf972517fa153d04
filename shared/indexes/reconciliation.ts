import { present } from '../db/condition.ts';
import type { Key, Table } from '../db/contracts.ts';
import { dueBy } from '../db/due.ts';
import { textOf } from '../db/read-item.ts';
import { laterBy } from '../kernel/clock.ts';
import { minuteMs } from '../kernel/durations.ts';
import type { IndexWriter } from './contracts.ts';
import type { LogMessage } from './index-log.ts';

/** Pause between two looks at a poison message that could not be looked up. Each may block its log for minutes. */
const everyMs = 15 * minuteMs;
/** Time until the first look after the message has left its log. */
const firstMs = minuteMs;

const noteKey = ({ organization_id, index_id, receipt_id }: Omit<LogMessage, 'change'>): Key => ({
  pk: `RECONCILE#${organization_id}`,
  sk: `${index_id} ${receipt_id}`,
});

const dueIn = (organizationId: string, from: string, ms: number) =>
  dueBy('reconcile', organizationId, laterBy(from, ms));

/** Notes of poison messages that have left their log without a decision. The sweep repeats them. */
export const reconciliations = (
  table: Table,
): Pick<IndexWriter, 'noteReconciliation' | 'dueReconciliations' | 'postponeReconciliation' | 'endReconciliation'> => ({
  noteReconciliation: async (message, at) => {
    const due = dueIn(message.organization_id, at, firstMs);
    await table.update(noteKey(message), { setOnce: { message: JSON.stringify(message), since: at, ...due } });
  },
  dueReconciliations: (until, limit) => table.due('reconcile', until.toISOString(), limit),
  postponeReconciliation: async (key, at) => {
    const organizationId = key.pk.slice(key.pk.indexOf('#') + 1);
    const note = await table.update(key, { set: dueIn(organizationId, at, everyMs), condition: present });
    if (note === null) return null;
    return { message: JSON.parse(textOf(note, 'message') ?? '') as unknown, since: textOf(note, 'since') ?? at };
  },
  endReconciliation: async (message) => {
    await table.delete(noteKey(message));
  },
});
