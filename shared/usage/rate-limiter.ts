import { LRUCache } from 'lru-cache';
import { numberOf } from '../db/read-item.ts';
import type { Item, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { minuteMs } from '../kernel/durations.ts';
import { AppError } from '../kernel/errors.ts';
import type { Plan, RateLimitKey, RequestWeight } from '../kernel/plans.ts';
import { ratesPrefix } from '../kernel/names.ts';
import { isTransientSdkError } from '../kernel/sdk-error.ts';
import {
  type AddToShard,
  addWithReport,
  headersOf,
  inFlightKeyOf,
  inFlightShareOf,
  isNearBound,
  ordinaryWeight,
  reportTo,
  RunningWeight,
  tooManyInFlight,
} from './in-flight.ts';
import {
  type AddRequests,
  type CountOf,
  type OrganizationCounts,
  newCounts,
  type RateLimitStatus,
  rateLimitStatusOf,
  countInBlock,
} from './rate-limit-counts.ts';
import { shardsOf } from './rate-limit-shards.ts';

/** Rate limiter of requests: limits by minute and in flight, by organization. */
export interface RateLimiter {
  /** Counts one request against each of `rates`. The last rate is the most specific. */
  count(organizationId: string, rates: readonly RateLimitKey[], weight?: RequestWeight): Promise<CountedRequest>;
}

/** Request that the rate limiter has counted. */
export interface CountedRequest {
  /** Enforces the limits of a plan. Returns the `ratelimit-*` headers. Throws 429 with `retry-after` if a limit is exceeded. */
  enforce(plan: Plan): Promise<Readonly<Record<string, string>>>;
  /** Ends the request, which is in flight until then. May be called twice. */
  end(): Promise<void>;
}

/** Returns the headers of the limit with the fewest remaining requests. Throws 429 if it is exceeded. */
const requireWithinLimits = (
  standings: readonly RateLimitStatus[],
  resetSeconds: number,
): Readonly<Record<string, string>> => {
  const [tightest] = standings.toSorted((a, b) => a.remaining - b.remaining);
  if (tightest === undefined) return {};
  if (tightest.remaining >= 0) return headersOf(tightest, resetSeconds);
  throw new AppError('rate_limited', `The plan allows ${tightest.limit} ${tightest.key} a minute`, {
    headers: { 'retry-after': String(resetSeconds), ...headersOf(tightest, resetSeconds) },
  });
};

/** Whether a shard is the only one that counts the requests in flight. */
const isOnlyShard = (plan: Plan, key: RateLimitKey, shard: number): boolean =>
  shardsOf(plan, key).every((other) => other === shard);

/** Maximum organizations whose state one process keeps. */
const maxOrganizations = 10_000;

/** Parts of the rate limiter of one process. */
interface Counter {
  readonly runtime: Runtime;
  readonly table: Table;
  readonly organizations: LRUCache<string, OrganizationCounts>;
  readonly running: RunningWeight;
}

/** One request of an organization in a minute. */
interface Request {
  readonly organizationId: string;
  readonly rates: readonly RateLimitKey[];
  readonly weight: RequestWeight;
  /** Rate whose requests in flight it counts among. */
  readonly key: RateLimitKey;
}

const minuteOf = (ms: number): number => Math.floor(ms / minuteMs);

const writerOf =
  ({ table }: Counter, organizationId: string, minute: number): AddToShard =>
  (shard, amounts) =>
    table.update(
      { pk: `${ratesPrefix}${organizationId}#${shard}`, sk: String(minute) },
      { add: amounts, set: { expires_at_epoch: (minute + 5) * 60 } },
    );

/** Reports finished requests at once if the organization is near its in-flight limit. */
const reportFinished = async (counter: Counter, organizationId: string, key: RateLimitKey): Promise<void> => {
  const { runtime, organizations, running } = counter;
  const known = organizations.get(organizationId);
  const report = known?.inFlight.get(key);
  if (known?.minute !== minuteOf(runtime.clock.now().getTime()) || report === undefined) return;
  const weight = running.of(organizationId, key);
  if (weight >= report.reported || !isNearBound(report, known.plan, key)) return;
  try {
    await addWithReport(report, { key, weight }, {}, writerOf(counter, organizationId, known.minute));
  } catch (error) {
    if (!isTransientSdkError(error)) throw error;
    runtime.log.warn('usage.in_flight.report.failed', { organization_id: organizationId, error });
  }
};

/** Adds a request to the weight in flight of this process. Returns the function that ends it. */
const enter = (counter: Counter, { organizationId, key, weight }: Request): CountedRequest['end'] => {
  let isRunning = true;
  counter.running.add(organizationId, key, weight.inFlight);
  return async () => {
    if (!isRunning) return;
    isRunning = false;
    counter.running.add(organizationId, key, -weight.inFlight);
    await reportFinished(counter, organizationId, key);
  };
};

/** Functions that count a request: `first` with the weight in flight of this process, `further` in other shards. */
const addsOf = (counter: Counter, known: OrganizationCounts, { organizationId, key, weight }: Request) => {
  const write = writerOf(counter, organizationId, known.minute);
  const amountsOf = (some: readonly RateLimitKey[], requests: number) =>
    Object.fromEntries(some.map((rate) => [rate, rate === 'requests' ? requests : requests * weight.rate]));
  const countsOf =
    (item: Item | null): CountOf =>
    (rate) =>
      numberOf(item, rate);
  const further: AddRequests = async (shard, some, requests) => countsOf(await write(shard, amountsOf(some, requests)));
  // Weight in flight of the organization at this request; 0 if the request was part of an earlier block.
  let total = 0;
  const first: AddRequests = async (shard, some, requests) => {
    const now = { key, weight: counter.running.of(organizationId, key) };
    const report = reportTo(known.inFlight, key, shard);
    const item = await addWithReport(report, now, amountsOf(some, requests), write);
    total = report.total;
    return countsOf(item);
  };
  return { first, further, write, total: () => total };
};

/** Returns the state of an organization once its plan is known. Cancels a report in the wrong shard. */
const withPlan = async (
  known: OrganizationCounts,
  plan: Plan,
  key: RateLimitKey,
  write: AddToShard,
): Promise<OrganizationCounts> => {
  if (known.plan === plan) return known;
  const report = known.inFlight.get(key);
  const isMoved = report !== undefined && !isOnlyShard(plan, key, report.shard);
  if (isMoved) await addWithReport(report, { key, weight: 0 }, {}, write);
  return { ...newCounts(known.minute, plan), ...(isMoved ? {} : { inFlight: known.inFlight }) };
};

const countRequest = async (counter: Counter, request: Request): Promise<CountedRequest> => {
  const { organizationId, rates, weight, key } = request;
  const { runtime, organizations } = counter;
  const nowMs = runtime.clock.now().getTime();
  const minute = minuteOf(nowMs);
  const before = organizations.get(organizationId);
  const known = before?.minute === minute ? before : newCounts(minute, before?.plan ?? 'developer');
  organizations.set(organizationId, known);
  const end = enter(counter, request);
  const { first, further, write, total } = addsOf(counter, known, request);
  try {
    const { shard, countOf } = await countInBlock(known, rates, weight, first);
    return {
      end,
      enforce: async (plan) => {
        const now = await withPlan(known, plan, key, write);
        organizations.set(organizationId, now);
        const standings = await Promise.all(
          rates.map((rate) => rateLimitStatusOf(now, rate, { shard, count: countOf(rate) }, further)),
        );
        const headers = requireWithinLimits(
          standings,
          Math.max(1, Math.ceil(((minute + 1) * minuteMs - nowMs) / 1000)),
        );
        // Without a report, the request was counted in a shard of another plan.
        const isPlaced = now.inFlight.has(key);
        if (isPlaced && total() > inFlightShareOf(plan, key)) throw tooManyInFlight(plan, key);
        return headers;
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
};

export const rateLimiter = capability<RateLimiter>(['rates.count'], (runtime) => {
  const counter: Counter = {
    runtime,
    table: openTable(runtime, 'usage'),
    organizations: new LRUCache({ max: maxOrganizations }),
    running: new RunningWeight(),
  };
  return {
    count: (organizationId, rates, weight = ordinaryWeight) =>
      countRequest(counter, { organizationId, rates, weight, key: inFlightKeyOf(rates) }),
  };
});
