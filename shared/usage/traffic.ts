import { LRUCache } from 'lru-cache';
import { numberOf } from '../db/read-item.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { minuteMs } from '../kernel/durations.ts';
import { AppError } from '../kernel/errors.ts';
import { type Plan, plans, type RateLimitKey } from '../kernel/plans.ts';
import { isWide, shardsOf, shareOf } from './rate-shards.ts';

/** Requests of an organization in the minute that runs. */
export interface Traffic {
  /** Counts one request against each of `rates`, of which the last is the narrowest. */
  count(organizationId: string, rates: readonly RateLimitKey[]): Promise<Counted>;
}

/** One request, counted. */
export interface Counted {
  /** The headers that tell the caller what is left. Throws 429 where the plan's limit is passed. */
  admit(plan: Plan): Promise<Readonly<Record<string, string>>>;
}

interface Standing {
  readonly key: RateLimitKey;
  readonly limit: number;
  readonly remaining: number;
}

const headersOf = ({ limit, remaining }: Standing, resetSeconds: number): Readonly<Record<string, string>> => ({
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(Math.max(0, remaining)),
  'ratelimit-reset': String(resetSeconds),
});

/** Throws for the first limit that is passed; else describes the one of which least is left. */
const admit = (standings: readonly Standing[], resetSeconds: number): Readonly<Record<string, string>> => {
  const [tightest] = standings.toSorted((a, b) => a.remaining - b.remaining);
  if (tightest === undefined) return {};
  if (tightest.remaining >= 0) return headersOf(tightest, resetSeconds);
  throw new AppError('rate_limited', `The plan allows ${tightest.limit} ${tightest.key} a minute`, {
    headers: { 'retry-after': String(resetSeconds), ...headersOf(tightest, resetSeconds) },
  });
};

/** What a shard's counts of some rates have come to. */
type CountOf = (rate: RateLimitKey) => number;

/** Requests that a shard has counted in one write. */
interface Taken {
  readonly shard: number;
  readonly size: number;
  /** As of the last of them. */
  readonly countOf: CountOf;
  /** Those that are still to come. */
  left: number;
}

/** What one process knows of an organization in a minute. It only tells where to count; the counts alone decide. */
interface Known {
  readonly minute: number;
  /** As of the last request; the plan itself is read with every one. */
  readonly plan: Plan;
  /** Shards whose share of a rate is used up. */
  readonly full: Set<string>;
  /** By the rates together that they count against. */
  readonly taken: Map<string, Taken>;
}

/** Organizations that one process knows. */
const mostKnown = 10_000;
/** Requests that a process counts in one write at most; what is left of them when it ends nobody gets. */
const mostTaken = 16;

const nothingKnown = (minute: number, plan: Plan): Known => ({ minute, plan, full: new Set(), taken: new Map() });

const fullName = (rate: RateLimitKey, shard: number): string => `${rate} ${shard}`;

/** A shard of a rate that may have room; any of them where none has. */
const pickShard = ({ plan, full }: Known, rate: RateLimitKey): number => {
  const shards = shardsOf(plan, rate);
  const open = shards.filter((shard) => !full.has(fullName(rate, shard)));
  const among = open.length > 0 ? open : shards;
  return among[Math.floor(Math.random() * among.length)] ?? 0;
};

/** Adds requests to some of the rates of a shard. What each of them has come to. */
type Add = (shard: number, rates: readonly RateLimitKey[], requests: number) => Promise<CountOf>;

/**
 * How many requests to count in the next write: twice as many as in the last, so that a process takes no more in vain than
 * it has needed. One by one where the rate is low or half of what the shard lets through is used up, so that whoever comes
 * to the limit comes to all of it.
 */
const sizeAfter = (plan: Plan, rates: readonly RateLimitKey[], last: Taken | undefined): number => {
  if (last === undefined) return 1;
  const { shard, countOf, size } = last;
  const isPlenty = rates.every((rate) => isWide(plan, rate) && countOf(rate) < shareOf(plan, rate, shard) / 2);
  return isPlenty ? Math.min(2 * size, mostTaken) : 1;
};

/** Counts a request, or takes one that is counted already. */
const take = async (
  known: Known,
  rates: readonly RateLimitKey[],
  add: Add,
): Promise<Pick<Taken, 'shard' | 'countOf'>> => {
  const name = rates.join(' ');
  let taken = known.taken.get(name);
  if (taken === undefined || taken.left === 0) {
    const size = sizeAfter(known.plan, rates, taken);
    const shard = pickShard(known, rates.at(-1) ?? 'requests');
    taken = { shard, size, countOf: await add(shard, rates, size), left: size };
    known.taken.set(name, taken);
  }
  taken.left -= 1;
  const { shard, countOf, left } = taken;
  return { shard, countOf: (rate) => countOf(rate) - left };
};

/**
 * What is left of a rate after a request that a shard has counted. Where its share is used up, the request takes from that
 * of another, so that it is refused only once all of them are; a shard without room is asked once a minute by each process.
 */
const standingOf = async (
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
  // Those that may have room are used as much as this one, as far as anybody knows.
  const open = shards.filter((shard) => !full.has(fullName(key, shard))).length;
  return { key, limit: plans[plan].rateLimits[key], remaining: left * Math.max(1, open) };
};

const openTraffic = (runtime: Runtime): Traffic => {
  const table = openTable(runtime, 'usage');
  const organizations = new LRUCache<string, Known>({ max: mostKnown });
  return {
    count: async (organizationId, rates) => {
      const nowMs = runtime.clock.now().getTime();
      const minute = Math.floor(nowMs / minuteMs);
      const before = organizations.get(organizationId);
      const known = before?.minute === minute ? before : nothingKnown(minute, before?.plan ?? 'developer');
      const add: Add = async (shard, some, requests) => {
        const counts = await table.update(
          { pk: `RATE#${organizationId}#${shard}`, sk: String(minute) },
          {
            add: Object.fromEntries(some.map((rate) => [rate, requests])),
            set: { expires_at_epoch: (minute + 5) * 60 },
          },
        );
        return (rate) => numberOf(counts, rate);
      };
      const { shard, countOf } = await take(known, rates, add);
      return {
        admit: async (plan) => {
          const now = known.plan === plan ? known : nothingKnown(minute, plan);
          organizations.set(organizationId, now);
          const standings = await Promise.all(
            rates.map((rate) => standingOf(now, rate, { shard, count: countOf(rate) }, add)),
          );
          return admit(standings, Math.max(1, Math.ceil(((minute + 1) * minuteMs - nowMs) / 1000)));
        },
      };
    },
  };
};

export const trafficUse = capability<Traffic>(['usage.write'], openTraffic);
