import { absent } from '../db/condition.ts';
import type { Item, Table } from '../db/contracts.ts';
import { epochSeconds } from '../db/due.ts';
import { flagOf, numberOf } from '../db/read-item.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { laterBy } from '../kernel/clock.ts';
import { dayMs } from '../kernel/durations.ts';
import { monthKey } from './items.ts';

/**
 * `ocr`: an image that OCR reads. `audio`: a started minute of a recording that is transcribed. `tokens`: tokens of text
 * that an embedding model reads.
 */
export type QuotaKind = 'ocr' | 'audio' | 'tokens';

const quotaKinds: readonly QuotaKind[] = ['ocr', 'audio', 'tokens'];

/** Counter of an organization for one month, `YYYY-MM`. */
export interface QuotaMonth {
  readonly organizationId: string;
  readonly month: string;
}

/** Job whose tasks reserve from the quota of one month; the same month at every attempt. */
interface QuotaJob extends QuotaMonth {
  readonly jobId: string;
}

export interface QuotaTask extends QuotaJob {
  readonly id: string;
}

export type QuotaAmounts = Readonly<Record<QuotaKind, number>>;

/** `taken` now, `held` since an earlier attempt, or `refused` because only `left` are left. */
export type Reservation =
  | { readonly outcome: 'taken' | 'held' }
  | { readonly outcome: 'refused'; readonly left: number };

export interface MonthlyQuota {
  /**
   * Reserves `amount` of the month's quota for a task, once, before a model is called. A repeat changes nothing. The
   * reservations of all tasks together never exceed `limit`.
   */
  reserve(task: QuotaTask, kind: QuotaKind, amount: number, limit: number): Promise<Reservation>;
  /** Replaces the reservation of a task by its usage, once. `readUsed` is called only if there is an open reservation. */
  settle(task: QuotaTask, readUsed: () => Promise<QuotaAmounts>): Promise<void>;
  /** Returns ids of the tasks of a job whose reservation is not settled. */
  unsettled(job: QuotaJob): Promise<ReadonlySet<string>>;
}

export interface MonthlyQuotaReader {
  /** Returns how much of the month's quota of `limit` is not reserved. */
  left(month: QuotaMonth, kind: QuotaKind, limit: number): Promise<number>;
}

const unitsNeeded = (kind: QuotaKind, needed: number): string => {
  // Only the model knows the exact number of tokens of a text.
  if (kind === 'tokens') return `up to ${needed} embedding tokens`;
  return `${needed} ${kind === 'ocr' ? 'OCR' : 'audio'} credits`;
};

/** Message for a user whose quota is too small; `who` begins the sentence. */
export const quotaTooSmall = (
  who: string,
  kind: QuotaKind,
  { needed, left, limit }: { readonly needed: number; readonly left: number; readonly limit: number },
): string => `${who} needs ${unitsNeeded(kind, needed)}, and of the ${limit} of this month ${left} are left`;

/** Reservations expire long after the last run of their task. */
const reservationDays = 60;

/** Maximum retries after a lost race for the last of a quota. */
const maxRounds = 10;

export const counterKey = ({ organizationId, month }: QuotaMonth) => monthKey(organizationId, month, 'CREDITS');
export const counterName = (kind: QuotaKind): string => `${kind}_reserved`;

const reservationPartition = ({ organizationId, month }: QuotaMonth): string => `RESERVED#${organizationId}#${month}`;

const reservationKey = (task: QuotaTask, kind: QuotaKind) => ({
  pk: reservationPartition(task),
  sk: `${task.jobId} ${task.id} ${kind}`,
});

const leftOf = (counter: Item | null, kind: QuotaKind, limit: number): number =>
  Math.max(0, limit - numberOf(counter, counterName(kind)));

/** Returns the open reservations of a job, or of one of its tasks. */
const openReservations = async (table: Table, month: QuotaMonth, ...ids: string[]): Promise<readonly Item[]> => {
  const prefix = `${ids.join(' ')} `;
  const reservations = await Array.fromAsync(table.all(reservationPartition(month), { prefix }));
  return reservations.filter((item) => !flagOf(item, 'settled'));
};

const reserve = async (
  { table, expiresAt }: Store,
  task: QuotaTask,
  kind: QuotaKind,
  amount: number,
  limit: number,
): Promise<Reservation> => {
  const name = counterName(kind);
  const reservation = { ...reservationKey(task, kind), amount, expires_at_epoch: expiresAt() };
  // A counter that does not exist is below any limit, unless the amount itself is above it.
  const fits = { lte: limit - amount };
  const condition = { [name]: amount > limit ? fits : { either: [[{ exists: false }], [fits]] } };
  for (let round = 0; round < maxRounds; round += 1) {
    const [failed] = await table.transact([
      { put: reservation, condition: absent },
      { update: counterKey(task), change: { add: { [name]: amount }, condition } },
    ]);
    if (failed === undefined) return { outcome: 'taken' };
    if (failed === 0) return { outcome: 'held' };
    const left = leftOf(await table.get(counterKey(task)), kind, limit);
    if (left < amount) return { outcome: 'refused', left };
  }
  throw new Error('the monthly quota could not be reserved: too many tasks at a time');
};

const settle = async ({ table }: Store, task: QuotaTask, readUsed: () => Promise<QuotaAmounts>): Promise<void> => {
  const open = await openReservations(table, task, task.jobId, task.id);
  if (open.length === 0) return;
  const used = await readUsed();
  for (const kind of quotaKinds) {
    const key = reservationKey(task, kind);
    const reservation = open.find(({ sk }) => sk === key.sk);
    if (reservation === undefined) continue;
    const settled = {
      set: { settled: true },
      condition: { pk: { exists: true }, settled: { exists: false } },
    } as const;
    const amount = used[kind] - numberOf(reservation, 'amount');
    // Another run of the task may have settled it.
    await table.transact([
      { update: key, change: settled },
      ...(amount === 0 ? [] : [{ update: counterKey(task), change: { add: { [counterName(kind)]: amount } } }]),
    ]);
  }
};

/** Table of the quota, and the expiry of a reservation that is stored now. */
interface Store {
  readonly table: Table;
  readonly expiresAt: () => number;
}

const openStore = (runtime: Runtime): Store => ({
  table: openTable(runtime, 'usage'),
  expiresAt: () => epochSeconds(laterBy(runtime.clock.now().toISOString(), reservationDays * dayMs)),
});

/** Monthly quota of credits and embedding tokens of an organization. */
export const monthlyQuota = capability<MonthlyQuota>(['usage.read', 'usage.write'], (runtime) => {
  const store = openStore(runtime);
  return {
    reserve: (task, kind, amount, limit) => reserve(store, task, kind, amount, limit),
    settle: (task, readUsed) => settle(store, task, readUsed),
    unsettled: async (job) => {
      const open = await openReservations(store.table, job, job.jobId);
      return new Set(open.map(({ sk }) => sk.split(' ')[1] ?? ''));
    },
  };
});

/** Read access to the monthly quota. */
export const monthlyQuotaRead = capability<MonthlyQuotaReader>(['usage.read'], (runtime) => {
  const { table } = openStore(runtime);
  return { left: async (month, kind, limit) => leftOf(await table.get(counterKey(month)), kind, limit) };
});
