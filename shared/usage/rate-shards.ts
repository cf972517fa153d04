import { type Plan, plans, type RateLimitKey } from '../kernel/plans.ts';

/** Requests a minute that one item can count: a partition of the table takes 1,000 writes a second. */
const requestsPerShard = 30_000;

/** Whether a rate is so high that a few requests of a process do not matter. */
export const isWide = (plan: Plan, rate: RateLimitKey): boolean => plans[plan].rateLimits[rate] >= requestsPerShard;

/** Items over which the count of a rate is spread; a rate that one item can count lies in one, and is exact at any time. */
interface Spread {
  readonly first: number;
  readonly size: number;
}

const sizeOf = (plan: Plan, rate: RateLimitKey): number => Math.ceil(plans[plan].rateLimits[rate] / requestsPerShard);

/** Searches and writes of vectors are the many, so their items are not the same where there is more than one. */
const spreadOf = (plan: Plan, rate: RateLimitKey): Spread => {
  const first = rate === 'vector_writes' ? sizeOf(plan, 'searches') % sizeOf(plan, 'requests') : 0;
  return { first, size: sizeOf(plan, rate) };
};

/** The shards that count a rate of an organization with this plan. */
export const shardsOf = (plan: Plan, rate: RateLimitKey): readonly number[] => {
  const { first, size } = spreadOf(plan, rate);
  return Array.from({ length: size }, (_, at) => (first + at) % sizeOf(plan, 'requests'));
};

/** How many requests a minute a shard lets through; those of all shards of a rate are the limit of the plan. */
export const shareOf = (plan: Plan, rate: RateLimitKey, shard: number): number => {
  const shards = shardsOf(plan, rate);
  const at = shards.indexOf(shard);
  return at < 0 ? 0 : Math.floor((plans[plan].rateLimits[rate] + at) / shards.length);
};
