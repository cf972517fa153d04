import { type Plan, plans, type RateLimitKey } from '../kernel/plans.ts';

/** Maximum requests a minute of one item. Source: DynamoDB, 1,000 writes a second for each partition. */
const requestsPerShard = 30_000;

/** Whether a rate is so high that a few uncounted requests of a process do not matter. */
export const isWide = (plan: Plan, rate: RateLimitKey): boolean => plans[plan].rateLimits[rate] >= requestsPerShard;

/** Shards of a rate. A rate that one item can count has one shard, and is exact at any time. */
interface Spread {
  readonly first: number;
  readonly size: number;
}

const sizeOf = (plan: Plan, rate: RateLimitKey): number => Math.ceil(plans[plan].rateLimits[rate] / requestsPerShard);

/** Returns the shards of a rate. Searches and vector writes, which are the most requests, use different shards if there are several. */
const spreadOf = (plan: Plan, rate: RateLimitKey): Spread => {
  const first = rate === 'vector_writes' ? sizeOf(plan, 'searches') % sizeOf(plan, 'requests') : 0;
  return { first, size: sizeOf(plan, rate) };
};

/** Returns the shards that count a rate of an organization with this plan. */
export const shardsOf = (plan: Plan, rate: RateLimitKey): readonly number[] => {
  const { first, size } = spreadOf(plan, rate);
  return Array.from({ length: size }, (_, at) => (first + at) % sizeOf(plan, 'requests'));
};

/** Returns the requests a minute that a shard allows. The sum over all shards of a rate is the limit of the plan. */
export const shareOf = (plan: Plan, rate: RateLimitKey, shard: number): number => {
  const shards = shardsOf(plan, rate);
  const at = shards.indexOf(shard);
  return at < 0 ? 0 : Math.floor((plans[plan].rateLimits[rate] + at) / shards.length);
};
