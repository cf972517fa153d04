import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { numberOf } from '../db/read-item.ts';
import type { Item, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { minuteMs } from '../kernel/durations.ts';
import { AppError } from '../kernel/errors.ts';
import type { RateLimitKey, RequestWeight } from '../kernel/plans.ts';
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
  type OwnerCounts,
  newCounts,
  type RateLimitStatus,
  rateLimitStatusOf,
  countInBlock,
} from './rate-limit-counts.ts';
import { planTerms, type RateTerms, shardsOf } from './rate-limit-shards.ts';

/** Rate limiter of requests: limits by minute and in flight, of an organization or a credential. */
export interface RateLimiter {
  /**
   * Counts one request against each of `rates`.
   * @param owner Id of an organization, or of a credential behind that of its organization.
   * @param rates The last one counts the requests in flight: the most specific of an organization.
   */
  count(owner: string, rates: readonly RateLimitKey[], weight?: RequestWeight): Promise<CountedRequest>;
}

/** Request that the rate limiter has counted. */
export interface CountedRequest {
  /** Enforces limits. Returns the `ratelimit-*` headers. Throws 429 with `retry-after` if a limit is exceeded. */
  enforce(terms: RateTerms): Promise<Readonly<Record<string, string>>>;
  /** Ends the request, which is in flight until then. May be called twice. */
  end(): Promise<void>;
}

/** Returns the headers of the limit with the fewest remaining requests. Throws 429 if it is exceeded. */
const requireWithinLimits = (
  { holder, isOwn = false }: RateTerms,
  standings: readonly RateLimitStatus[],
  resetSeconds: number,
): Readonly<Record<string, string>> => {
  const [tightest] = standings.toSorted((a, b) => a.remaining - b.remaining);
  if (tightest === undefined || tightest.limit === Infinity) return {};
  if (tightest.remaining >= 0) return headersOf(tightest, resetSeconds);
  throw new AppError('rate_limited', `${holder} allows ${tightest.limit} ${tightest.key} a minute`, {
    headers: { 'retry-after': String(resetSeconds), ...headersOf(tightest, resetSeconds) },
    isOwn,
  });
};

/** Whether a shard is the only one that counts the requests in flight. */
const isOnlyShard = (terms: RateTerms, key: RateLimitKey, shard: number): boolean =>
  shardsOf(terms, key).every((other) => other === shard);

/** Maximum owners of limits whose state one process keeps. */
const maxOwners = 10_000;

/** Parts of the rate limiter of one process. */
interface Counter {
  readonly runtime: Runtime;
  readonly table: Table;
  readonly owners: LRUCache<string, OwnerCounts>;
  readonly running: RunningWeight;
}

/** One request in a minute. */
interface Request {
  readonly owner: string;
  readonly rates: readonly RateLimitKey[];
  readonly weight: RequestWeight;
  /** Rate whose requests in flight it counts among. */
  readonly key: RateLimitKey;
}

const minuteOf = (ms: number): number => Math.floor(ms / minuteMs);

const writerOf =
  ({ table }: Counter, owner: string, minute: number): AddToShard =>
  (shard, amounts) =>
    table.update(
      { pk: `${ratesPrefix}${owner}#${shard}`, sk: String(minute) },
      { add: amounts, set: { expires_at_epoch: (minute + 5) * 60 } },
    );

/** Reports finished requests at once near the in-flight limit. */
const reportFinished = async (counter: Counter, owner: string, key: RateLimitKey): Promise<void> => {
  const { runtime, owners, running } = counter;
  const known = owners.get(owner);
  const report = known?.inFlight.get(key);
  if (known?.minute !== minuteOf(runtime.clock.now().getTime()) || report === undefined) return;
  const weight = running.of(owner, key);
  if (weight >= report.reported || !isNearBound(report, known.terms, key)) return;
  try {
    await addWithReport(report, { key, weight }, {}, writerOf(counter, owner, known.minute));
  } catch (error) {
    if (!isTransientSdkError(error)) throw error;
    runtime.log.warn('usage.in_flight.report.failed', { owner, error });
  }
};

/** Adds a request to the weight in flight of this process. Returns the function that ends it. */
const enter = (counter: Counter, { owner, key, weight }: Request): CountedRequest['end'] => {
  let isRunning = true;
  counter.running.add(owner, key, weight.inFlight);
  return async () => {
    if (!isRunning) return;
    isRunning = false;
    counter.running.add(owner, key, -weight.inFlight);
    await reportFinished(counter, owner, key);
  };
};

/** Functions that count a request: `first` with the weight in flight of this process, `further` in other shards. */
const addsOf = (counter: Counter, known: OwnerCounts, { owner, key, weight }: Request) => {
  const write = writerOf(counter, owner, known.minute);
  const amountsOf = (some: readonly RateLimitKey[], requests: number) =>
    Object.fromEntries(some.map((rate) => [rate, rate === 'requests' ? requests : requests * weight.rate]));
  const countsOf =
    (item: Item | null): CountOf =>
    (rate) =>
      numberOf(item, rate);
  const further: AddRequests = async (shard, some, requests) => countsOf(await write(shard, amountsOf(some, requests)));
  // Weight in flight of all processes at this request; 0 if the request was part of an earlier block.
  let total = 0;
  const first: AddRequests = async (shard, some, requests) => {
    const now = { key, weight: counter.running.of(owner, key) };
    const report = reportTo(known.inFlight, key, shard);
    const item = await addWithReport(report, now, amountsOf(some, requests), write);
    total = report.total;
    return countsOf(item);
  };
  return { first, further, write, total: () => total };
};

/** Returns the state of an owner once its limits are known. Cancels a report in the wrong shard. */
const withTerms = async (
  known: OwnerCounts,
  terms: RateTerms,
  key: RateLimitKey,
  write: AddToShard,
): Promise<OwnerCounts> => {
  if (isDeepStrictEqual(known.terms, terms)) return known;
  const report = known.inFlight.get(key);
  const isMoved = report !== undefined && !isOnlyShard(terms, key, report.shard);
  if (isMoved) await addWithReport(report, { key, weight: 0 }, {}, write);
  return { ...newCounts(known.minute, terms), ...(isMoved ? {} : { inFlight: known.inFlight }) };
};

const countRequest = async (counter: Counter, request: Request): Promise<CountedRequest> => {
  const { owner, rates, weight, key } = request;
  const { runtime, owners } = counter;
  const nowMs = runtime.clock.now().getTime();
  const minute = minuteOf(nowMs);
  const before = owners.get(owner);
  const known = before?.minute === minute ? before : newCounts(minute, before?.terms ?? planTerms.developer);
  owners.set(owner, known);
  const end = enter(counter, request);
  const { first, further, write, total } = addsOf(counter, known, request);
  try {
    const { shard, countOf } = await countInBlock(known, rates, weight, first);
    return {
      end,
      enforce: async (terms) => {
        const now = await withTerms(known, terms, key, write);
        owners.set(owner, now);
        const standings = await Promise.all(
          rates.map((rate) => rateLimitStatusOf(now, rate, { shard, count: countOf(rate) }, further)),
        );
        const headers = requireWithinLimits(
          terms,
          standings,
          Math.max(1, Math.ceil(((minute + 1) * minuteMs - nowMs) / 1000)),
        );
        // Without a report, the request was counted in a shard of other limits.
        const isPlaced = now.inFlight.has(key);
        if (isPlaced && total() > inFlightShareOf(terms, key)) throw tooManyInFlight(terms, key);
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
    owners: new LRUCache({ max: maxOwners }),
    running: new RunningWeight(),
  };
  return {
    count: (owner, rates, weight = ordinaryWeight) =>
      countRequest(counter, { owner, rates, weight, key: inFlightKeyOf(rates) }),
  };
});
