import { numberOf } from '../db/read-item.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { minuteMs } from '../kernel/durations.ts';
import { AppError } from '../kernel/errors.ts';
import { type Plan, plans, type RateLimitKey } from '../kernel/plans.ts';
import { shardsOf, shareOf } from './rate-shards.ts';

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

/** What one process knows of an organization in a minute. It only tells where to count; the counts alone decide. */
interface Known {
  readonly minute: number;
  /** As of the last request; the plan itself is read with every one. */
  readonly plan: Plan;
  /** Shards whose share of a rate is used up. */
  readonly full: Set<string>;
}

const nothingKnown = (minute: number, plan: Plan): Known => ({ minute, plan, full: new Set() });

const fullName = (rate: RateLimitKey, shard: number): string => `${rate} ${shard}`;

/** A shard of a rate that may have room; any of them where none has. */
const pickShard = ({ plan, full }: Known, rate: RateLimitKey): number => {
  const shards = shardsOf(plan, rate);
  const open = shards.filter((shard) => !full.has(fullName(rate, shard)));
  const among = open.length > 0 ? open : shards;
  return among[Math.floor(Math.random() * among.length)] ?? 0;
};

/** Adds a request to some of the rates of a shard. What each of them has come to. */
type Add = (shard: number, rates: readonly RateLimitKey[]) => Promise<(rate: RateLimitKey) => number>;

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
    if (left < 0 && !full.has(fullName(key, shard))) left = leftAt(shard, (await add(shard, [key]))(key));
  // Those that may have room are used as much as this one, as far as anybody knows.
  const open = shards.filter((shard) => !full.has(fullName(key, shard))).length;
  return { key, limit: plans[plan].rateLimits[key], remaining: left * Math.max(1, open) };
};

const openTraffic = (runtime: Runtime): Traffic => {
  const table = openTable(runtime, 'usage');
  const organizations = new Map<string, Known>();
  return {
    count: async (organizationId, rates) => {
      const nowMs = runtime.clock.now().getTime();
      const minute = Math.floor(nowMs / minuteMs);
      const before = organizations.get(organizationId);
      const known = before?.minute === minute ? before : nothingKnown(minute, before?.plan ?? 'developer');
      const add: Add = async (shard, some) => {
        const counts = await table.update(
          { pk: `RATE#${organizationId}#${shard}`, sk: String(minute) },
          {
            add: Object.fromEntries(some.map((rate) => [rate, 1])),
            set: { expires_at_epoch: (minute + 5) * 60 },
          },
        );
        return (rate) => numberOf(counts, rate);
      };
      const shard = pickShard(known, rates.at(-1) ?? 'requests');
      const countOf = await add(shard, rates);
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
