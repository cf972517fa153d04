import { type InFlightKey, type Plan, plans, type RateLimitKey, type RequestWeight } from '../kernel/plans.ts';
import { inFlightKeyOf, type InFlightReport, isNearBound, type RateHeaders } from './in-flight.ts';
import { isWide, shardsOf, shareOf } from './rate-shards.ts';

export interface Standing extends RateHeaders {
  readonly key: RateLimitKey;
}

/** Counts of some rates in a shard. */
export type CountOf = (rate: RateLimitKey) => number;

/** Requests that a shard has counted in one write. */
interface Taken {
  readonly shard: number;
  readonly size: number;
  /** As of the last of them. */
  readonly countOf: CountOf;
  /** Those that are still to come. */
  left: number;
}

/** Knowledge of one process about an organization in a minute. It chooses where to count; the counts alone decide. */
export interface Known {
  readonly minute: number;
  /** As of the last request; the plan itself is read with every one. */
  readonly plan: Plan;
  /** Shards whose share of a rate is used up. */
  readonly full: Set<string>;
  /** By the rates together that they count against. */
  readonly taken: Map<string, Taken>;
  readonly inFlight: Map<InFlightKey, InFlightReport>;
}

/** Requests that a process counts in one write at most; those that are left when it ends are lost. */
const mostTaken = 16;

export const nothingKnown = (minute: number, plan: Plan): Known => ({
  minute,
  plan,
  full: new Set(),
  taken: new Map(),
  inFlight: new Map(),
});

const fullName = (rate: RateLimitKey, shard: number): string => `${rate} ${shard}`;

/** A shard of a rate that may have room; any of them where none has. What is in flight stays with one as long as it may. */
const pickShard = ({ plan, full, inFlight }: Known, rates: readonly RateLimitKey[]): number => {
  const rate = rates.at(-1) ?? 'requests';
  const shards = shardsOf(plan, rate);
  const open = shards.filter((shard) => !full.has(fullName(rate, shard)));
  const key = inFlightKeyOf(rates);
  const last = key === null ? undefined : inFlight.get(key)?.shard;
  if (last !== undefined && open.includes(last)) return last;
  const among = open.length > 0 ? open : shards;
  return among[Math.floor(Math.random() * among.length)] ?? 0;
};

/** Adds requests to some of the rates of a shard. What each of them has come to. */
export type Add = (shard: number, rates: readonly RateLimitKey[], requests: number) => Promise<CountOf>;

/**
 * How many requests to count in the next write: twice as many as in the last, so that a process leaves no more unused than
 * it has needed. One by one if the rate is low, or half of the shard's share or of the bound in flight is used up: then the
 * last requests of a limit are let through, too.
 */
const sizeAfter = ({ plan, inFlight }: Known, rates: readonly RateLimitKey[], last: Taken | undefined): number => {
  if (last === undefined) return 1;
  const key = inFlightKeyOf(rates);
  const report = key === null ? undefined : inFlight.get(key);
  if (key !== null && report !== undefined && isNearBound(report, plan, key)) return 1;
  const { shard, countOf, size } = last;
  const isPlenty = rates.every((rate) => isWide(plan, rate) && countOf(rate) < shareOf(plan, rate, shard) / 2);
  return isPlenty ? Math.min(2 * size, mostTaken) : 1;
};

/** Counts a request, or takes one that is counted already. A heavy one is counted by itself. */
export const take = async (
  known: Known,
  rates: readonly RateLimitKey[],
  weight: RequestWeight,
  add: Add,
): Promise<Pick<Taken, 'shard' | 'countOf'>> => {
  const shard = pickShard(known, rates);
  if (weight.rate > 1) return { shard, countOf: await add(shard, rates, 1) };
  const name = rates.join(' ');
  let taken = known.taken.get(name);
  if (taken === undefined || taken.left === 0) {
    const size = sizeAfter(known, rates, taken);
    taken = { shard, size, countOf: await add(shard, rates, size), left: size };
    known.taken.set(name, taken);
  }
  taken.left -= 1;
  const { countOf, left } = taken;
  return { shard: taken.shard, countOf: (rate) => countOf(rate) - left };
};

/**
 * Returns the remainder of a rate after a request that a shard has counted. If its share is used up, the request takes from that
 * of another, so that it is refused only once all of them are; a shard without room is asked once a minute by each process.
 */
export const standingOf = async (
  { plan, full }: Known,
  key: RateLimitKey,
  counted: { readonly shard: number; readonly count: number },
  add: Add,
): Promise<Standing> => {
  const shards = shardsOf(plan, key);
  const leftAt = (shard: number, count: number): number => {
    const left = shareOf(plan, key, shard) - count;
    if (left < 0) full.add(fullName(key, shard));
    return left;
  };
  let left = leftAt(counted.shard, counted.count);
  for (const shard of shards)
    if (left < 0 && !full.has(fullName(key, shard))) left = leftAt(shard, (await add(shard, [key], 1))(key));
  // Those that may have room are assumed to be used as much as this one.
  const open = shards.filter((shard) => !full.has(fullName(key, shard))).length;
  return { key, limit: plans[plan].rateLimits[key], remaining: left * Math.max(1, open) };
};
