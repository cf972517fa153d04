import { LRUCache } from 'lru-cache';
import { numberOf } from '../db/read-item.ts';
import type { Item, Table } from '../db/contracts.ts';
import { openTable } from '../db/table.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { minuteMs } from '../kernel/durations.ts';
import { AppError } from '../kernel/errors.ts';
import type { InFlightKey, Plan, RateLimitKey, RequestWeight } from '../kernel/plans.ts';
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
import { type Add, type CountOf, type Known, nothingKnown, type Standing, standingOf, take } from './rate-counts.ts';
import { shardsOf } from './rate-shards.ts';

/** Requests of an organization in the minute that runs. */
export interface Traffic {
  /** Counts one request against each of `rates`, of which the last is the narrowest. */
  count(organizationId: string, rates: readonly RateLimitKey[], weight?: RequestWeight): Promise<Counted>;
}

/** One request, counted. */
export interface Counted {
  /** Returns the headers that say what is left. Throws 429 if a limit of the plan is passed. */
  admit(plan: Plan): Promise<Readonly<Record<string, string>>>;
  /** Ends the request, admitted or not; it is in flight until then. May be called twice. */
  end(): Promise<void>;
}

/** Throws for the first limit that is passed; else describes the one of which least is left. */
const admit = (standings: readonly Standing[], resetSeconds: number): Readonly<Record<string, string>> => {
  const [tightest] = standings.toSorted((a, b) => a.remaining - b.remaining);
  if (tightest === undefined) return {};
  if (tightest.remaining >= 0) return headersOf(tightest, resetSeconds);
  throw new AppError('rate_limited', `The plan allows ${tightest.limit} ${tightest.key} a minute`, {
    headers: { 'retry-after': String(resetSeconds), ...headersOf(tightest, resetSeconds) },
  });
};

/** Whether a shard is the one that counts what is in flight. */
const isOnlyShard = (plan: Plan, key: InFlightKey, shard: number): boolean =>
  shardsOf(plan, key).every((other) => other === shard);

/** Organizations that one process knows. */
const mostKnown = 10_000;

/** Parts that one process counts with. */
interface Counter {
  readonly runtime: Runtime;
  readonly table: Table;
  readonly organizations: LRUCache<string, Known>;
  readonly running: RunningWeight;
}

/** One request of an organization in a minute. */
interface Request {
  readonly organizationId: string;
  readonly rates: readonly RateLimitKey[];
  readonly weight: RequestWeight;
  /** The bound that holds for it while it runs; null: none. */
  readonly key: InFlightKey | null;
}

const minuteOf = (ms: number): number => Math.floor(ms / minuteMs);

const writerOf =
  ({ table }: Counter, organizationId: string, minute: number): AddToShard =>
  (shard, amounts) =>
    table.update(
      { pk: `${ratesPrefix}${organizationId}#${shard}`, sk: String(minute) },
      { add: amounts, set: { expires_at_epoch: (minute + 5) * 60 } },
    );

/** Reports at once what has finished, if the organization is near its bound. */
const reportFinished = async (counter: Counter, organizationId: string, key: InFlightKey): Promise<void> => {
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

/** Takes a request into what this process has in flight. Returns what ends it. */
const enter = (counter: Counter, { organizationId, key, weight }: Request): Counted['end'] => {
  let isRunning = key !== null;
  if (key !== null) counter.running.add(organizationId, key, weight.inFlight);
  return async () => {
    if (key === null || !isRunning) return;
    isRunning = false;
    counter.running.add(organizationId, key, -weight.inFlight);
    await reportFinished(counter, organizationId, key);
  };
};

/** Ways to count a request: `first` with what this process has in flight, `further` in other shards. */
const addsOf = (counter: Counter, known: Known, { organizationId, key, weight }: Request) => {
  const write = writerOf(counter, organizationId, known.minute);
  const amountsOf = (some: readonly RateLimitKey[], requests: number) =>
    Object.fromEntries(some.map((rate) => [rate, rate === 'requests' ? requests : requests * weight.rate]));
  const countsOf =
    (item: Item | null): CountOf =>
    (rate) =>
      numberOf(item, rate);
  const further: Add = async (shard, some, requests) => countsOf(await write(shard, amountsOf(some, requests)));
  // In flight of the organization as this request came to it; nothing if it was counted with another.
  let total = 0;
  const first: Add = async (shard, some, requests) => {
    if (key === null) return further(shard, some, requests);
    const now = { key, weight: counter.running.of(organizationId, key) };
    const report = reportTo(known.inFlight, key, shard);
    const item = await addWithReport(report, now, amountsOf(some, requests), write);
    total = report.total;
    return countsOf(item);
  };
  return { first, further, write, total: () => total };
};

/** Returns the knowledge about an organization once its plan is read. A report in the wrong shard is withdrawn. */
const withPlan = async (known: Known, plan: Plan, key: InFlightKey | null, write: AddToShard): Promise<Known> => {
  if (known.plan === plan) return known;
  const report = key === null ? undefined : known.inFlight.get(key);
  const isMoved = key !== null && report !== undefined && !isOnlyShard(plan, key, report.shard);
  if (isMoved) await addWithReport(report, { key, weight: 0 }, {}, write);
  return { ...nothingKnown(known.minute, plan), ...(isMoved ? {} : { inFlight: known.inFlight }) };
};

const countRequest = async (counter: Counter, request: Request): Promise<Counted> => {
  const { organizationId, rates, weight, key } = request;
  const { runtime, organizations } = counter;
  const nowMs = runtime.clock.now().getTime();
  const minute = minuteOf(nowMs);
  const before = organizations.get(organizationId);
  const known = before?.minute === minute ? before : nothingKnown(minute, before?.plan ?? 'developer');
  organizations.set(organizationId, known);
  const end = enter(counter, request);
  const { first, further, write, total } = addsOf(counter, known, request);
  try {
    const { shard, countOf } = await take(known, rates, weight, first);
    return {
      end,
      admit: async (plan) => {
        const now = await withPlan(known, plan, key, write);
        organizations.set(organizationId, now);
        const standings = await Promise.all(
          rates.map((rate) => standingOf(now, rate, { shard, count: countOf(rate) }, further)),
        );
        const headers = admit(standings, Math.max(1, Math.ceil(((minute + 1) * minuteMs - nowMs) / 1000)));
        // Without a report it was counted in a shard that is not its plan's.
        const isPlaced = key !== null && now.inFlight.has(key);
        if (isPlaced && total() > inFlightShareOf(plan, key)) throw tooManyInFlight(plan, key);
        return headers;
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
};

export const trafficUse = capability<Traffic>(['rates.count'], (runtime) => {
  const counter: Counter = {
    runtime,
    table: openTable(runtime, 'usage'),
    organizations: new LRUCache({ max: mostKnown }),
    running: new RunningWeight(),
  };
  return {
    count: (organizationId, rates, weight = ordinaryWeight) =>
      countRequest(counter, { organizationId, rates, weight, key: inFlightKeyOf(rates) }),
  };
});
