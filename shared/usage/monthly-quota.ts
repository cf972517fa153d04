import { numberOf } from '../db/read-item.ts';
import type { Item } from '../db/contracts.ts';
import { capability } from '../kernel/capability.ts';
import {
  complete,
  completeSome,
  counterKey,
  counterName,
  entriesOf,
  entriesOfTask,
  entryOf,
  inTransit,
  markSettled,
  maxInTransit,
  newAttempt,
  openReservations,
  openStore,
  type QuotaJob,
  type QuotaKind,
  quotaKinds,
  type QuotaMonth,
  type QuotaTask,
  reservationKey,
  type Store,
} from './quota-steps.ts';

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

/** Maximum retries after a lost race, such as that for the last reservation of a quota. */
const maxRounds = 10;

const leftOf = (counter: Item | null, kind: QuotaKind, limit: number): number =>
  Math.max(0, limit - numberOf(counter, counterName(kind)));

const reserve = async (
  store: Store,
  task: QuotaTask,
  kind: QuotaKind,
  amount: number,
  limit: number,
): Promise<Reservation> => {
  const { table } = store;
  const { id: taskId, jobId } = task;
  const key = reservationKey(task, { jobId, taskId, kind });
  const entry = entryOf({ type: 'take', jobId, taskId, kind, amount, attempt: newAttempt() });
  for (let round = 0; round < maxRounds; round += 1) {
    const [counter, reservation] = await Promise.all([table.get(counterKey(task)), table.get(key)]);
    if (reservation !== null) return { outcome: 'held' };
    const own = entriesOfTask(counter, task);
    const others = entriesOf(counter);
    const left = leftOf(counter, kind, limit);
    if (own.length > 0) {
      await completeSome(store, task, own);
    } else if (others.length >= maxInTransit || (left < amount && others.length > 0)) {
      // A step of a run that died may hold unused quota.
      await completeSome(store, task, others);
    } else if (left < amount) {
      // Another run of the task may have reserved the rest after the reservation was read.
      return (await table.get(key)) === null ? { outcome: 'refused', left } : { outcome: 'held' };
    } else {
      const hasRoom = counter?.[counterName(kind)] === undefined ? { exists: false } : { lte: limit - amount };
      const taken = await table.update(counterKey(task), {
        add: { [counterName(kind)]: amount },
        include: { [inTransit]: [entry.member] },
        condition: { [counterName(kind)]: hasRoom },
      });
      if (taken !== null) return { outcome: (await complete(store, task, entry)) ? 'taken' : 'held' };
    }
  }
  throw new Error('the monthly quota could not be reserved: too many tasks at a time');
};

const settle = async (store: Store, task: QuotaTask, readUsed: () => Promise<QuotaAmounts>): Promise<void> => {
  const { table } = store;
  const { id: taskId, jobId } = task;
  const [counter, found] = await Promise.all([
    table.get(counterKey(task)),
    openReservations(store, task, jobId, taskId),
  ]);
  const begun = entriesOfTask(counter, task);
  await completeSome(store, task, begun);
  const open = begun.length === 0 ? found : await openReservations(store, task, jobId, taskId);
  if (open.length === 0) return;
  const used = await readUsed();
  for (const kind of quotaKinds) {
    const reservation = open.find(({ sk }) => sk === reservationKey(task, { jobId, taskId, kind }).sk);
    if (reservation === undefined) continue;
    const amount = used[kind] - numberOf(reservation, 'amount');
    const entry = entryOf({ type: 'settle', jobId, taskId, kind, amount, attempt: newAttempt() });
    if (amount === 0) {
      await markSettled(store, task, entry.step);
    } else {
      await table.update(counterKey(task), { include: { [inTransit]: [entry.member] } });
      await complete(store, task, entry);
    }
  }
};

const unsettled = async (store: Store, job: QuotaJob): Promise<ReadonlySet<string>> => {
  const counter = await store.table.get(counterKey(job));
  const open = await openReservations(store, job, job.jobId);
  return new Set([
    ...open.map(({ sk }) => sk.split(' ')[1] ?? ''),
    ...entriesOf(counter).flatMap(({ step }) => (step.jobId === job.jobId ? [step.taskId] : [])),
  ]);
};

/** Monthly quota of credits and embedding tokens of an organization. */
export const monthlyQuota = capability<MonthlyQuota>(['usage.read', 'usage.write'], (runtime) => {
  const store = openStore(runtime);
  return {
    reserve: (task, kind, amount, limit) => reserve(store, task, kind, amount, limit),
    settle: (task, readUsed) => settle(store, task, readUsed),
    unsettled: (job) => unsettled(store, job),
  };
});

/** Read access to the monthly quota. */
export const monthlyQuotaRead = capability<MonthlyQuotaReader>(['usage.read'], (runtime) => {
  const { table } = openStore(runtime);
  return { left: async (month, kind, limit) => leftOf(await table.get(counterKey(month)), kind, limit) };
});
