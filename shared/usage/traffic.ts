import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { AppError } from '../kernel/errors.ts';
import { type Plan, plans, type RateLimitKey } from '../kernel/plans.ts';

/** Requests of an organization in the minute that runs. */
export interface Traffic {
  /** Counts one request against each of `rates`. */
  count(organizationId: string, rates: readonly RateLimitKey[]): Promise<Counted>;
}

/** One request, counted. */
export interface Counted {
  /** The headers that tell the caller what is left. Throws 429 where the plan's limit is passed. */
  admit(plan: Plan): Readonly<Record<string, string>>;
}

const minuteMs = 60_000;

/** Requests a minute that one item can count: a partition of the table takes 1,000 writes a second. */
const requestsPerShard = 30_000;

const shardsOf = (plan: Plan): number => Math.ceil(plans[plan].rateLimits.requests / requestsPerShard);

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

const openTraffic = (runtime: Runtime): Traffic => {
  const table = openTable(runtime, 'usage');
  // Only tells over how many items to spread the count; the plan itself is read with every request.
  const lastPlans = new Map<string, Plan>();
  return {
    count: async (organizationId, rates) => {
      const nowMs = runtime.clock.now().getTime();
      const minute = Math.floor(nowMs / minuteMs);
      const shard = Math.floor(Math.random() * shardsOf(lastPlans.get(organizationId) ?? 'developer'));
      const counts = await table.update(
        { pk: `RATE#${organizationId}#${shard}`, sk: String(minute) },
        {
          add: Object.fromEntries(rates.map((rate) => [rate, 1])),
          set: { expires_at_epoch: (minute + 5) * 60 },
        },
      );
      return {
        admit: (plan) => {
          lastPlans.set(organizationId, plan);
          const standings = rates.map((key): Standing => {
            const limit = plans[plan].rateLimits[key];
            const share = Math.floor(limit / shardsOf(plan));
            return { key, limit, remaining: (share - (counts?.[key] as number)) * shardsOf(plan) };
          });
          return admit(standings, Math.max(1, Math.ceil(((minute + 1) * minuteMs - nowMs) / 1000)));
        },
      };
    },
  };
};

export const trafficUse = capability<Traffic>(['usage.write'], openTraffic);
