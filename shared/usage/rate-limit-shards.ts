import { planIds, plans, type Plan, type RateLimitKey } from '../kernel/plans.ts';

/** Limits of a plan or of a credential: requests by minute, and in flight. `Infinity` where there is none. */
export interface RateTerms {
  /** Subject of the message of a refusal, such as `The plan`. */
  readonly holder: string;
  /** Whether they are those of the caller alone. */
  readonly isOwn?: boolean;
  readonly rateLimits: Readonly<Record<RateLimitKey, number>>;
  readonly inFlight: Readonly<Record<RateLimitKey, number>>;
}

const ofPlan = (plan: Plan): RateTerms => ({
  holder: 'The plan',
  rateLimits: plans[plan].rateLimits,
  inFlight: plans[plan].inFlight,
});

/** Limits of an organization by its plan. */
export const planTerms = Object.fromEntries(planIds.map((plan) => [plan, ofPlan(plan)])) as Readonly<
  Record<Plan, RateTerms>
>;

/** Maximum requests a minute of one item. Source: DynamoDB, 1,000 writes a second for each partition. */
const requestsPerShard = 30_000;

/** Whether a rate is so high that a few uncounted requests of a process do not matter. */
export const isWide = ({ rateLimits }: RateTerms, rate: RateLimitKey): boolean => rateLimits[rate] >= requestsPerShard;

/** Shards of a rate. A rate that one item can count has one shard, and is exact at any time. */
interface Spread {
  readonly first: number;
  readonly size: number;
}

const sizeOf = ({ rateLimits }: RateTerms, rate: RateLimitKey): number =>
  rateLimits[rate] === Infinity ? 1 : Math.ceil(rateLimits[rate] / requestsPerShard);

/** Returns the shards of a rate. Searches and vector writes, which are the most requests, use different shards if there are several. */
const spreadOf = (terms: RateTerms, rate: RateLimitKey): Spread => {
  const first = rate === 'vector_writes' ? sizeOf(terms, 'searches') % sizeOf(terms, 'requests') : 0;
  return { first, size: sizeOf(terms, rate) };
};

/** Returns the shards that count a rate with these limits. */
export const shardsOf = (terms: RateTerms, rate: RateLimitKey): readonly number[] => {
  const { first, size } = spreadOf(terms, rate);
  return Array.from({ length: size }, (_, at) => (first + at) % sizeOf(terms, 'requests'));
};

/** Returns the requests a minute that a shard allows. The sum over all shards of a rate is the limit. */
export const shareOf = (terms: RateTerms, rate: RateLimitKey, shard: number): number => {
  const shards = shardsOf(terms, rate);
  const at = shards.indexOf(shard);
  return at < 0 ? 0 : Math.floor((terms.rateLimits[rate] + at) / shards.length);
};
