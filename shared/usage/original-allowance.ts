import { randomBytes } from 'node:crypto';
import { membersOf, numberOf, textOf } from '../db/read-item.ts';
import type { Item, Key, Table } from '../db/contracts.ts';
import { epochSecondsAfter } from '../db/due.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { laterBy } from '../kernel/clock.ts';
import { dayMs, hourMs } from '../kernel/durations.ts';
import { timeOf } from '../kernel/ids.ts';
import { type LimitKey, type Plan, plans } from '../kernel/plans.ts';
import { planLimitReached } from './plan-limit.ts';

/*
 * The allowance of originals: bytes and number of the files that an organization stores. Two items take part in each change:
 * the total, and the original. As with the monthly quota, a change begins with an entry in the total's set of changes in
 * transit, is decided by the original, and ends when the entry is removed. What grows is added with the entry, what shrinks
 * is subtracted with its removal. The total is therefore never below the sum of the originals, and every process can
 * complete every change.
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
   * Changes the bytes of a reserved original. Does nothing if it is released. With a plan, throws 402. If the run dies, the
   * reservation may stay until the original is kept or released.
   */
  resize(organizationId: string, id: string, bytes: number, plan?: Plan): Promise<void>;
  /** Sets the bytes of an original that is kept, even if it was released. */
  keep(organizationId: string, id: string, bytes: number): Promise<void>;
  /** Releases an original that is not kept. */
  release(organizationId: string, id: string): Promise<void>;
}

/** Milliseconds after which no repeat of a request can store a reserved original. An `Idempotency-Key` is kept for a day. */
const storedWithinMs = dayMs + hourMs;

/** Days for which a released original is remembered, so that no late change counts it again. */
const rememberedDays = 7;

/** Maximum retries after a lost race. */
const maxRounds = 20;

/** Bytes of an original; null: it is not counted. */
type Held = number | null;

interface Entry {
  readonly id: string;
  readonly indexId: string | null;
  /** Distinguishes the changes of two runs. */
  readonly attempt: string;
  /** Change that decided the original before; null if there was none. */
  readonly after: string | null;
  readonly from: Held;
  readonly to: Held;
  readonly member: string;
}

const inTransit = 'in_transit';

const partitionOf = (organizationId: string): string => `ORIGINALS#${organizationId}`;
const totalKey = (organizationId: string): Key => ({ pk: partitionOf(organizationId), sk: 'TOTAL' });
const originalKey = (organizationId: string, id: string): Key => ({ pk: partitionOf(organizationId), sk: id });

const asText = (value: string | number | null): string => (value === null ? '-' : String(value));
const asHeld = (text: string): Held => (text === '-' ? null : Number(text));

const entryOf = (entry: Omit<Entry, 'member'>): Entry => {
  const { id, indexId, attempt, after, from, to } = entry;
  return { ...entry, member: [id, indexId, attempt, after, from, to].map(asText).join(' ') };
};

const parseEntry = (member: string): Entry => {
  const [id = '', indexId = '-', attempt = '', after = '-', from = '-', to = '-'] = member.split(' ');
  return {
    id,
    indexId: indexId === '-' ? null : indexId,
    attempt,
    after: after === '-' ? null : after,
    from: asHeld(from),
    to: asHeld(to),
    member,
  };
};

const entriesIn = (total: Item | null): readonly Entry[] => [...membersOf(total, inTransit)].map(parseEntry);

const newAttempt = (): string => randomBytes(6).toString('base64url');

/** Returns the change that releases a reservation. */
const releaseAfter = ({ id, indexId, attempt, to }: Entry): Entry =>
  entryOf({ id, indexId, attempt: newAttempt(), after: attempt, from: to, to: null });

const heldIn = (original: Item | null): Held => (original?.['bytes'] as number | undefined) ?? null;

interface Amounts {
  readonly bytes: number;
  readonly originals: number;
}

const amountsOf = (held: Held): Amounts => ({ bytes: held ?? 0, originals: held === null ? 0 : 1 });

/** Returns the growth and the reduction of a change. */
const changeOf = ({ from, to }: Entry): { readonly growth: Amounts; readonly reduction: Amounts } => {
  const [before, after] = [amountsOf(from), amountsOf(to)];
  const parts = (sign: 1 | -1): Amounts => ({
    bytes: Math.max(0, sign * (after.bytes - before.bytes)),
    originals: Math.max(0, sign * (after.originals - before.originals)),
  });
  return { growth: parts(1), reduction: parts(-1) };
};

/** Returns the limits of a plan by the name of their amount. */
const limitsOf = (plan: Plan) => {
  const { originals, original_bytes: bytes } = plans[plan].limits;
  return [
    ['originals', originals, 'originals'],
    ['bytes', bytes, 'original_bytes'],
  ] as const satisfies readonly (readonly [keyof Amounts, number, LimitKey])[];
};

const negated = ({ bytes, originals }: Amounts): Amounts => ({ bytes: -bytes, originals: -originals });

const isNothing = ({ bytes, originals }: Amounts): boolean => bytes === 0 && originals === 0;

interface SetOptions {
  /** Plan whose limits apply; null: none. */
  readonly plan?: Plan | null;
  readonly original?: NewOriginal;
  /** Whether the entry of the decided change remains until the caller ends it. */
  readonly isOpen?: boolean;
  /** Whether an equal amount ends the call, although the entry of a run that died may remain. */
  readonly isQuick?: boolean;
}

class Ledger {
  private readonly table: Table;
  private readonly runtime: Runtime;

  constructor(runtime: Runtime) {
    this.runtime = runtime;
    this.table = openTable(runtime, 'usage');
  }

  /** Lets a change decide the original, unless another has. Returns whether it has decided. */
  private async decide(organizationId: string, { id, attempt, after, to }: Entry): Promise<boolean> {
    const key = originalKey(organizationId, id);
    const expires = epochSecondsAfter(laterBy(this.runtime.clock.now().toISOString(), rememberedDays * dayMs));
    const decided = await this.table.update(key, {
      set: { step: attempt, ...(to === null ? { expires_at_epoch: expires } : { bytes: to }) },
      remove: [to === null ? 'bytes' : 'expires_at_epoch'],
      condition: { step: after === null ? { exists: false } : { eq: after } },
    });
    return decided !== null || textOf(await this.table.get(key), 'step') === attempt;
  }

  /** Completes a change of any process. Returns whether it has decided the original. */
  private async complete(organizationId: string, entry: Entry): Promise<boolean> {
    const isDecisive = await this.decide(organizationId, entry);
    await this.end(organizationId, entry, isDecisive);
    return isDecisive;
  }

  /** Removes the entry of a change that is decided, and subtracts what the total no longer contains. */
  async end(organizationId: string, entry: Entry, isDecisive: boolean): Promise<void> {
    const { growth, reduction } = changeOf(entry);
    const change = negated(isDecisive ? reduction : growth);
    await this.table.update(totalKey(organizationId), {
      ...(isNothing(change) ? {} : { add: { ...change } }),
      exclude: { [inTransit]: [entry.member] },
      condition: { [inTransit]: { contains: entry.member } },
    });
  }

  /** Adds the entry of a change, with its growth. Returns null if the limits of the plan do not allow it, else the total. */
  private begin(organizationId: string, entry: Entry, total: Item | null, plan: Plan | null): Promise<Item | null> {
    const { growth } = changeOf(entry);
    const limits = plan === null ? [] : limitsOf(plan).filter(([name]) => growth[name] > 0);
    const conditions = limits.map(
      ([name, limit]) =>
        [name, total?.[name] === undefined ? { exists: false } : { lte: limit - growth[name] }] as const,
    );
    return this.table.update(totalKey(organizationId), {
      ...(isNothing(growth) ? {} : { add: { ...growth } }),
      include: { [inTransit]: [entry.member] },
      ...(conditions.length === 0 ? {} : { condition: Object.fromEntries(conditions) }),
    });
  }

  /** Throws 402 if the limits of the plan do not allow a change. */
  private requireRoom(total: Item | null, entry: Entry, plan: Plan): void {
    const { growth } = changeOf(entry);
    for (const [name, limit, key] of limitsOf(plan)) {
      const current = numberOf(total, name);
      if (growth[name] > 0 && current + growth[name] > limit) throw planLimitReached(key, limit, current);
    }
  }

  /** Completes changes whose process may have died, and releases originals that were never stored. Returns whether it changed any. */
  private async completeOthers(
    organizationId: string,
    total: Item | null,
    isStored: NewOriginal['isStored'],
  ): Promise<boolean> {
    const now = this.runtime.clock.now().getTime();
    let changed = false;
    for (const entry of entriesIn(total)) {
      const isTaken = entry.from === null;
      if (isTaken && now - timeOf(entry.id).getTime() < storedWithinMs) {
        // Of two runs of one request, only one reserves.
        if (await this.decide(organizationId, entry)) continue;
        await this.end(organizationId, entry, false);
        changed = true;
        continue;
      }
      // Recorded before the reservation is complete, so that no crash loses it.
      const undone = isTaken && (await isStored(entry)) === false ? releaseAfter(entry) : null;
      if (undone !== null)
        await this.table.update(totalKey(organizationId), { include: { [inTransit]: [undone.member] } });
      await this.complete(organizationId, entry);
      if (undone !== null) await this.complete(organizationId, undone);
      changed = true;
    }
    return changed;
  }

  /**
   * Changes the bytes of an original. Returns the decided change, whose entry remains if `isOpen`; null if nothing changes.
   * @param next Returns the bytes that follow the present ones.
   */
  async set(
    organizationId: string,
    id: string,
    next: (held: Held) => Held,
    { plan = null, original, isOpen = false, isQuick = false }: SetOptions = {},
  ): Promise<Entry | null> {
    for (let round = 0; round < maxRounds; round += 1) {
      // In this order: a change that has decided the original is in transit, or complete.
      const present = await this.table.get(originalKey(organizationId, id));
      const from = heldIn(present);
      const to = next(from);
      if (from === to && isQuick) return null;
      const total = await this.table.get(totalKey(organizationId));
      const own = entriesIn(total).filter((entry) => entry.id === id);
      if (own.length > 0) {
        for (const entry of own) await this.complete(organizationId, entry);
        continue;
      }
      if (from === to) return null;
      const indexId = original?.indexId ?? null;
      const entry = entryOf({ id, indexId, attempt: newAttempt(), after: textOf(present, 'step'), from, to });
      if ((await this.begin(organizationId, entry, total, plan)) === null) {
        const latest = await this.table.get(totalKey(organizationId));
        const isStored = original?.isStored ?? (() => Promise.resolve(null));
        if (plan !== null && !(await this.completeOthers(organizationId, latest, isStored)))
          this.requireRoom(latest, entry, plan);
        continue;
      }
      const isDecisive = await this.decide(organizationId, entry);
      if (!isDecisive || !isOpen) await this.end(organizationId, entry, isDecisive);
      if (isDecisive) return entry;
    }
    throw new Error('the allowance of originals could not be changed: too many changes at a time');
  }
}

/** Opens the allowance for a capability that has the permissions of `originalAllowance`. */
export const openOriginalAllowance = (runtime: Runtime): OriginalAllowance => {
  const ledger = new Ledger(runtime);
  return {
    reserve: async (plan, original) => {
      const { organizationId, id, bytes } = original;
      const take = { plan, original, isOpen: true };
      const entry = await ledger.set(organizationId, id, (held) => held ?? bytes, take);
      return async () => {
        if (entry !== null) await ledger.end(organizationId, entry, true);
      };
    },
    resize: async (organizationId, id, bytes, plan) => {
      await ledger.set(organizationId, id, (held) => (held === null ? null : bytes), {
        plan: plan ?? null,
        isQuick: true,
      });
    },
    keep: async (organizationId, id, bytes) => {
      await ledger.set(organizationId, id, () => bytes);
    },
    release: async (organizationId, id) => {
      await ledger.set(organizationId, id, () => null);
    },
  };
};

export const originalAllowance = capability<OriginalAllowance>(['usage.read', 'usage.write'], openOriginalAllowance);
