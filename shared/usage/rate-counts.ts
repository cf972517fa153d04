import { type InFlightKey, type Plan, plans, type RateLimitKey, type RequestWeight } from '../kernel/plans.ts';
import { inFlightKeyOf, type InFlightReport, isNearBound, type RateHeaders } from './in-flight.ts';
import { isWide, shardsOf, shareOf } from './rate-shards.ts';

/** Remaining requests of one rate limit. */
export interface Standing extends RateHeaders {
  readonly key: RateLimitKey;
}

/** Returns the count of a rate in a shard. */
export type CountOf = (rate: RateLimitKey) => number;

/** Block of requests that a shard has counted in one write. */
interface Taken {
  readonly shard: number;
  readonly size: number;
  /** Counts after the last request of the block. */
  readonly countOf: CountOf;
  /** Requests of the block that have not come yet. */
  left: number;
}

/** State of one process about an organization in one minute. It selects the shard to count in; only the counts decide. */
export interface Known {
  readonly minute: number;
  /** Plan as of the last request. Every request reads the plan again. */
  readonly plan: Plan;
  /** Shards whose share of a rate is exhausted. */
  readonly full: Set<string>;
  /** Blocks by the names of their rates. */
  readonly taken: Map<string, Taken>;
  readonly inFlight: Map<InFlightKey, InFlightReport>;
}

/** Maximum requests that a process counts in one write. Unused requests of a process that ends are lost. */
const mostTaken = 16;

export const nothingKnown = (minute: number, plan: Plan): Known => ({
  minute,
  plan,
  full: new Set(),
  taken: new Map(),
  inFlight: new Map(),
});

const fullName = (rate: RateLimitKey, shard: number): string => `${rate} ${shard}`;

/** Selects a shard with remaining requests, or any if none has. The report of requests in flight stays in its shard if possible. */
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

/** Adds requests to some rates of a shard. Returns the counts after that. */
export type Add = (shard: number, rates: readonly RateLimitKey[], requests: number) => Promise<CountOf>;

/**
 * Returns the number of requests to count in the next write: twice as many as in the last, so that a process leaves no more
 * unused than it has needed. It is 1 if the rate is low, or if half of the shard's share or of the in-flight limit is used.
 * The limit is exact then.
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

/** Counts a request, or takes one of the last block. A heavy request is counted by itself. */
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
 * Returns the remaining requests of a rate after a counted request. If the share of its shard is exhausted, the request is
 * counted in another shard, so that it is refused only if all are exhausted. Each process tries an exhausted shard once a
 * minute.
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
  // The other open shards are assumed to be used as much as this one.
  const open = shards.filter((shard) => !full.has(fullName(key, shard))).length;
  return { key, limit: plans[plan].rateLimits[key], remaining: left * Math.max(1, open) };
};
