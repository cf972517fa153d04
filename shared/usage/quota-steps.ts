import { randomBytes } from 'node:crypto';
import { absent } from '../db/condition.ts';
import { membersOf, textOf } from '../db/read-item.ts';
import type { Item, Table } from '../db/contracts.ts';
import { epochSeconds } from '../db/due.ts';
import { openTable } from '../db/table.ts';
import type { Runtime } from '../kernel/capability.ts';
import { laterBy } from '../kernel/clock.ts';
import { dayMs } from '../kernel/durations.ts';
import { inParallel } from '../kernel/in-parallel.ts';
import { monthKey } from './items.ts';

/**
 * `ocr`: an image that OCR reads. `audio`: a started minute of a recording that is transcribed. `tokens`: tokens of text
 * that an embedding model reads.
 */
export type QuotaKind = 'ocr' | 'audio' | 'tokens';

export const quotaKinds: readonly QuotaKind[] = ['ocr', 'audio', 'tokens'];

/** Counter of an organization for one month, `YYYY-MM`. */
export interface QuotaMonth {
  readonly organizationId: string;
  readonly month: string;
}

/** Job whose tasks reserve from the quota of one month; the same month at every attempt. */
export interface QuotaJob extends QuotaMonth {
  readonly jobId: string;
}

export interface QuotaTask extends QuotaJob {
  readonly id: string;
}

/*
 * Two items take part in each step: the counter of the month, and the reservation of the task. A step begins with an
 * entry in the counter's set of steps in transit, is decided by the reservation, and ends when the entry is removed. The
 * counter changes in the write that adds or removes the entry, so it changes once. It is never below the sum of all
 * reservations: `take` adds with the entry, `settle` subtracts with the removal. Every process can complete every step.
 */

/** A step in transit. */
interface Step {
  readonly kind: QuotaKind;
  readonly jobId: string;
  readonly taskId: string;
  readonly type: 'take' | 'settle';
  /** Change of the counter: already applied for `take`, pending for `settle`. */
  readonly amount: number;
  /** Distinguishes the steps of two runs of one task. */
  readonly attempt: string;
}

/** A step and the member of the counter's set that represents it. */
interface Entry {
  readonly step: Step;
  readonly member: string;
}

export const inTransit = 'in_transit';

/** Steps in transit from which a reservation first completes steps of other runs, which may have died. */
export const maxInTransit = 64;
/** Maximum steps of other runs that one call completes. */
const maxCompleted = 16;
const completedAtOnce = 4;

/** Reservations expire long after the last run of their task. */
const reservationDays = 60;

export const counterKey = ({ organizationId, month }: QuotaMonth) => monthKey(organizationId, month, 'CREDITS');
export const counterName = (kind: QuotaKind): string => `${kind}_reserved`;

const reservationPartition = ({ organizationId, month }: QuotaMonth): string => `RESERVED#${organizationId}#${month}`;

export const reservationKey = (
  month: QuotaMonth,
  { jobId, taskId, kind }: Pick<Step, 'jobId' | 'taskId' | 'kind'>,
) => ({
  pk: reservationPartition(month),
  sk: `${jobId} ${taskId} ${kind}`,
});

export const newAttempt = (): string => randomBytes(6).toString('base64url');

export const entryOf = (step: Step): Entry => {
  const { type, jobId, taskId, kind, amount, attempt } = step;
  return { step, member: [type, jobId, taskId, kind, amount, attempt].join(' ') };
};

const parseEntry = (member: string): Entry => {
  const [type = '', jobId = '', taskId = '', kind = '', amount = '', attempt = ''] = member.split(' ');
  // Cast: `entryOf` has written it.
  const step = { type, jobId, taskId, kind, amount: Number(amount), attempt } as Step;
  return { step, member };
};

export const entriesOf = (counter: Item | null): readonly Entry[] => [...membersOf(counter, inTransit)].map(parseEntry);

export const entriesOfTask = (counter: Item | null, task: QuotaTask): readonly Entry[] =>
  entriesOf(counter).filter(({ step }) => step.taskId === task.id);

/** Table of the quota, and the expiry of a reservation that is stored now. */
export interface Store {
  readonly table: Table;
  readonly expiresAt: () => number;
}

const endEntry = async ({ table }: Store, month: QuotaMonth, { step, member }: Entry, change: number) => {
  await table.update(counterKey(month), {
    ...(change === 0 ? {} : { add: { [counterName(step.kind)]: change } }),
    exclude: { [inTransit]: [member] },
    condition: { [inTransit]: { contains: member } },
  });
};

/** Marks a reservation as settled. Returns false if another attempt has done so. */
export const markSettled = async ({ table }: Store, month: QuotaMonth, step: Step): Promise<boolean> => {
  const change = { set: { settled_by: step.attempt }, condition: { settled_by: { exists: false } } } as const;
  return (await table.update(reservationKey(month, step), change)) !== null;
};

/** Completes a step of any process. Returns whether the step has decided the reservation. */
export const complete = async (store: Store, month: QuotaMonth, entry: Entry): Promise<boolean> => {
  const { table, expiresAt } = store;
  const { type, amount, attempt } = entry.step;
  const key = reservationKey(month, entry.step);
  const isFirst =
    type === 'take'
      ? await table.put({ ...key, amount, attempt, expires_at_epoch: expiresAt() }, absent)
      : await markSettled(store, month, entry.step);
  const decidedBy = isFirst ? attempt : textOf(await table.get(key), type === 'take' ? 'attempt' : 'settled_by');
  const isDecisive = decidedBy === attempt;
  if (type === 'take') await endEntry(store, month, entry, isDecisive ? 0 : -amount);
  else await endEntry(store, month, entry, isDecisive ? amount : 0);
  return isDecisive;
};

export const completeSome = (store: Store, month: QuotaMonth, entries: readonly Entry[]): Promise<readonly boolean[]> =>
  inParallel(entries.slice(0, maxCompleted), completedAtOnce, (entry) => complete(store, month, entry));

/** Returns the open reservations of a job, or of one of its tasks. */
export const openReservations = async (
  { table }: Store,
  month: QuotaMonth,
  ...ids: string[]
): Promise<readonly Item[]> => {
  const prefix = `${ids.join(' ')} `;
  const reservations = await Array.fromAsync(table.all(reservationPartition(month), { prefix }));
  return reservations.filter((item) => textOf(item, 'settled_by') === null);
};

export const openStore = (runtime: Runtime): Store => ({
  table: openTable(runtime, 'usage'),
  expiresAt: () => epochSeconds(laterBy(runtime.clock.now().toISOString(), reservationDays * dayMs)),
});
