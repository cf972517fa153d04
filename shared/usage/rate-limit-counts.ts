import type { RateLimitKey, RequestWeight } from '../kernel/plans.ts';
import { inFlightKeyOf, type InFlightReport, isNearBound, type RateHeaders } from './in-flight.ts';
import { isWide, type RateTerms, shardsOf, shareOf } from './rate-limit-shards.ts';

/** Remaining requests of one rate limit. */
export interface RateLimitStatus extends RateHeaders {
  readonly key: RateLimitKey;
}

/** Returns the count of a rate in a shard. */
export type CountOf = (rate: RateLimitKey) => number;

/** Block of requests that a shard has counted in one write. */
interface RequestBlock {
  readonly shard: number;
  readonly size: number;
  /** Counts after the last request of the block. */
  readonly countOf: CountOf;
  /** Requests of the block that have not come yet. */
  left: number;
}

/** State of one process about an owner of limits in one minute. It selects the shard to count in; only the counts decide. */
export interface OwnerCounts {
  readonly minute: number;
  /** Limits as of the last request. Every request reads them again. */
  readonly terms: RateTerms;
  /** Shards whose share of a rate is exhausted. */
  readonly exhausted: Set<string>;
  /** Blocks by the names of their rates. */
  readonly blocks: Map<string, RequestBlock>;
  readonly inFlight: Map<RateLimitKey, InFlightReport>;
}

/** Maximum requests that a process counts in one write. Unused requests of a process that ends are lost. */
const maxBlockSize = 16;

export const newCounts = (minute: number, terms: RateTerms): OwnerCounts => ({
  minute,
  terms,
  exhausted: new Set(),
  blocks: new Map(),
  inFlight: new Map(),
});

const shardName = (rate: RateLimitKey, shard: number): string => `${rate} ${shard}`;

/** Selects a shard with remaining requests, or any if none has. The report of requests in flight stays in its shard if possible. */
const pickShard = ({ terms, exhausted: full, inFlight }: OwnerCounts, rates: readonly RateLimitKey[]): number => {
  const rate = inFlightKeyOf(rates);
  const shards = shardsOf(terms, rate);
  const open = shards.filter((shard) => !full.has(shardName(rate, shard)));
  const last = inFlight.get(rate)?.shard;
  if (last !== undefined && open.includes(last)) return last;
  const among = open.length > 0 ? open : shards;
  return among[Math.floor(Math.random() * among.length)] ?? 0;
};

/** Adds requests to some rates of a shard. Returns the counts after that. */
export type AddRequests = (shard: number, rates: readonly RateLimitKey[], requests: number) => Promise<CountOf>;

/**
 * Returns the number of requests to count in the next write: twice as many as in the last, so that a process leaves no more
 * unused than it has needed. It is 1 if the rate is low, or if half of the shard's share or of the in-flight limit is used.
 * The limit is exact then.
 */
const sizeAfter = (
  { terms, inFlight }: OwnerCounts,
  rates: readonly RateLimitKey[],
  last: RequestBlock | undefined,
): number => {
  if (last === undefined) return 1;
  const key = inFlightKeyOf(rates);
  const report = inFlight.get(key);
  if (report !== undefined && isNearBound(report, terms, key)) return 1;
  const { shard, countOf, size } = last;
  const isPlenty = rates.every((rate) => isWide(terms, rate) && countOf(rate) < shareOf(terms, rate, shard) / 2);
  return isPlenty ? Math.min(2 * size, maxBlockSize) : 1;
};

/** Counts a request, or takes one of the last block. A heavy request is counted by itself. */
export const countInBlock = async (
  known: OwnerCounts,
  rates: readonly RateLimitKey[],
  weight: RequestWeight,
  add: AddRequests,
): Promise<Pick<RequestBlock, 'shard' | 'countOf'>> => {
  const shard = pickShard(known, rates);
  if (weight.rate > 1) return { shard, countOf: await add(shard, rates, 1) };
  const name = rates.join(' ');
  let taken = known.blocks.get(name);
  if (taken === undefined || taken.left === 0) {
    const size = sizeAfter(known, rates, taken);
    taken = { shard, size, countOf: await add(shard, rates, size), left: size };
    known.blocks.set(name, taken);
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
export const rateLimitStatusOf = async (
  { terms, exhausted: full }: OwnerCounts,
  key: RateLimitKey,
  counted: { readonly shard: number; readonly count: number },
  add: AddRequests,
): Promise<RateLimitStatus> => {
  const shards = shardsOf(terms, key);
  const leftAt = (shard: number, count: number): number => {
    const left = shareOf(terms, key, shard) - count;
    if (left < 0) full.add(shardName(key, shard));
    return left;
  };
  let left = leftAt(counted.shard, counted.count);
  for (const shard of shards)
    if (left < 0 && !full.has(shardName(key, shard))) left = leftAt(shard, (await add(shard, [key], 1))(key));
  // The other open shards are assumed to be used as much as this one.
  const open = shards.filter((shard) => !full.has(shardName(key, shard))).length;
  return { key, limit: terms.rateLimits[key], remaining: left * Math.max(1, open) };
};
