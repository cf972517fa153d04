import type { Condition } from '../db/condition.ts';
import { membersOf, numberOf, textOf } from '../db/read-item.ts';
import type { Item, Key, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';
import { dayMs, hourMs } from '../kernel/durations.ts';
import { timeOf } from '../kernel/ids.ts';
import { type LimitKey, type Plan, plans } from '../kernel/plans.ts';
import { planLimitReached } from './plan-limit.ts';

/*
 * The allowance of originals: bytes and number of the files that an organization stores. A transaction changes the total and
 * the original together, so the total is always the sum of the originals. The total's set `open` names originals that are
 * reserved and whose records may not be stored yet.
 */

/** Original about to be stored. */
export interface NewOriginal {
  readonly organizationId: string;
  /** Id of its job or file. */
  readonly id: string;
  /** Id of the index of the job; null for a file without an index. */
  readonly indexId: string | null;
  readonly bytes: number;
  /** Whether the record of an original exists; null if the caller does not know it. */
  readonly isStored: (original: { readonly id: string; readonly indexId: string | null }) => Promise<boolean | null>;
}

/** Allowance of originals of an organization. */
export interface OriginalAllowance {
  /**
   * Reserves the bytes of an original before it is stored, once. The caller stores its record, and then calls the returned
   * function. Throws 402.
   */
  reserve(plan: Plan, original: NewOriginal): Promise<() => Promise<void>>;
  /**
   * Changes the bytes of a reserved original. Does nothing if it is released. With a plan, throws 402.
   */
  resize(organizationId: string, id: string, bytes: number, plan?: Plan): Promise<void>;
  /** Sets the bytes of an original that is kept, even if it was released. */
  keep(organizationId: string, id: string, bytes: number): Promise<void>;
  /** Releases an original that is not kept. */
  release(organizationId: string, id: string): Promise<void>;
}

/** Milliseconds after which no repeat of a request can store a reserved original. An `Idempotency-Key` is kept for a day. */
const storedWithinMs = dayMs + hourMs;

/** Maximum retries after a lost race. */
const maxRounds = 20;

/** Bytes of an original; null: it is not counted. */
type Held = number | null;

const partitionOf = (organizationId: string): string => `ORIGINALS#${organizationId}`;
const totalKey = (organizationId: string): Key => ({ pk: partitionOf(organizationId), sk: 'TOTAL' });
const originalKey = (organizationId: string, id: string): Key => ({ pk: partitionOf(organizationId), sk: id });

/** Returns the member of the set `open` that names an original. */
const markOf = ({ id, indexId }: Pick<NewOriginal, 'id' | 'indexId'>): string => `${id} ${indexId ?? '-'}`;

const parseMark = (mark: string): Pick<NewOriginal, 'id' | 'indexId'> => {
  const [id = '', indexId = '-'] = mark.split(' ');
  return { id, indexId: indexId === '-' ? null : indexId };
};

const heldIn = (original: Item | null): Held => (original?.['bytes'] as number | undefined) ?? null;

interface Amounts {
  readonly bytes: number;
  readonly originals: number;
}

/** Returns what a change adds to the total. */
const differenceOf = (from: Held, to: Held): Amounts => ({
  bytes: (to ?? 0) - (from ?? 0),
  originals: (to === null ? 0 : 1) - (from === null ? 0 : 1),
});

/** Returns the limits of a plan by the name of their amount. */
const limitsOf = (plan: Plan) => {
  const { originals, original_bytes: bytes } = plans[plan].limits;
  return [
    ['originals', originals, 'originals'],
    ['bytes', bytes, 'original_bytes'],
  ] as const satisfies readonly (readonly [keyof Amounts, number, LimitKey])[];
};

/** Returns the condition that the total has room for what is added. */
const roomFor = (added: Amounts, plan: Plan): Condition =>
  Object.fromEntries(
    limitsOf(plan)
      .filter(([name]) => added[name] > 0)
      .map(([name, limit]) => {
        const fits = { lte: limit - added[name] };
        return [name, added[name] > limit ? fits : { either: [[{ exists: false }], [fits]] }];
      }),
  );

/** Throws 402 if the limits of the plan do not allow what is added. */
const requireRoom = (total: Item | null, added: Amounts, plan: Plan): void => {
  for (const [name, limit, key] of limitsOf(plan)) {
    const current = numberOf(total, name);
    if (added[name] > 0 && current + added[name] > limit) throw planLimitReached(key, limit, current);
  }
};

/** Ends the reservation of an original, unless that has happened: it is kept, or released if it was never stored. */
const endReservation = async (table: Table, organizationId: string, mark: string, isKept: boolean): Promise<void> => {
  const key = originalKey(organizationId, parseMark(mark).id);
  const original = await table.get(key);
  const condition = { open: { eq: mark }, bytes: { eq: heldIn(original) } };
  const released = isKept ? {} : { add: { ...differenceOf(heldIn(original), null) } };
  if (textOf(original, 'open') === mark)
    await table.transact([
      isKept ? { update: key, change: { remove: ['open'], condition } } : { delete: key, condition },
      { update: totalKey(organizationId), change: { ...released, exclude: { open: [mark] } } },
    ]);
};

/** Ends old reservations, and releases those whose records were never stored. Returns whether it released any. */
const releaseAbandoned = async (
  table: Table,
  organizationId: string,
  total: Item | null,
  { isStored, now }: { readonly isStored: NewOriginal['isStored']; readonly now: Date },
): Promise<boolean> => {
  let released = false;
  for (const mark of membersOf(total, 'open')) {
    const original = parseMark(mark);
    if (now.getTime() - timeOf(original.id).getTime() < storedWithinMs) continue;
    const isKept = await isStored(original);
    if (isKept === null) continue;
    await endReservation(table, organizationId, mark, isKept);
    released ||= !isKept;
  }
  return released;
};

interface SetOptions {
  /** Plan whose limits apply. */
  readonly plan?: Plan | undefined;
  /** Original that is reserved. */
  readonly reserved?: NewOriginal;
}

/**
 * Changes the bytes of an original. Returns the mark of its reservation; null if it is not open.
 * @param next Returns the bytes that follow the present ones.
 */
const setBytes = async (
  { table, clock }: { readonly table: Table; readonly clock: Clock },
  organizationId: string,
  id: string,
  next: (held: Held) => Held,
  { plan, reserved }: SetOptions = {},
): Promise<string | null> => {
  const key = originalKey(organizationId, id);
  for (let round = 0; round < maxRounds; round += 1) {
    const present = await table.get(key);
    const [from, open] = [heldIn(present), textOf(present, 'open')];
    const to = next(from);
    if (from === to && (reserved !== undefined || open === null)) return open;
    const mark = reserved === undefined ? null : markOf(reserved);
    const added = differenceOf(from, to);
    const condition = { bytes: from === null ? { exists: false } : { eq: from } } as const;
    const [failed] = await table.transact([
      to === null
        ? { delete: key, condition }
        : { put: { ...key, bytes: to, ...(mark === null ? {} : { open: mark }) }, condition },
      {
        update: totalKey(organizationId),
        change: {
          add: { ...added },
          ...(mark === null ? {} : { include: { open: [mark] } }),
          ...(mark !== null || open === null ? {} : { exclude: { open: [open] } }),
          ...(plan === undefined ? {} : { condition: roomFor(added, plan) }),
        },
      },
    ]);
    if (failed === undefined) return mark;
    if (failed === 0 || plan === undefined) continue;
    const total = await table.get(totalKey(organizationId));
    const isStored = reserved?.isStored ?? (() => Promise.resolve(null));
    if (!(await releaseAbandoned(table, organizationId, total, { isStored, now: clock.now() })))
      requireRoom(total, added, plan);
  }
  throw new Error('the allowance of originals could not be changed: too many changes at a time');
};

/** Opens the allowance for a capability that has the permissions of `originalAllowance`. */
export const openOriginalAllowance = (runtime: Runtime): OriginalAllowance => {
  const table = openTable(runtime, 'usage');
  const ledger = { table, clock: runtime.clock };
  return {
    reserve: async (plan, reserved) => {
      const { organizationId, id, bytes } = reserved;
      const mark = await setBytes(ledger, organizationId, id, (held) => held ?? bytes, { plan, reserved });
      return async () => {
        if (mark !== null) await endReservation(table, organizationId, mark, true);
      };
    },
    resize: async (organizationId, id, bytes, plan) => {
      await setBytes(ledger, organizationId, id, (held) => (held === null ? null : bytes), { plan });
    },
    keep: async (organizationId, id, bytes) => {
      await setBytes(ledger, organizationId, id, () => bytes);
    },
    release: async (organizationId, id) => {
      await setBytes(ledger, organizationId, id, () => null);
    },
  };
};

export const originalAllowance = capability<OriginalAllowance>(['usage.read', 'usage.write'], openOriginalAllowance);
