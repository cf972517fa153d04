import type { Item } from '../db/contracts.ts';
import { numberOf } from '../db/read-item.ts';
import { AppError } from '../kernel/errors.ts';
import type { RateLimitKey, RequestWeight } from '../kernel/plans.ts';
import { type RateTerms, shardsOf } from './rate-limit-shards.ts';

export const ordinaryWeight: RequestWeight = { rate: 1, inFlight: 1 };

/** Limit and remaining requests, for the headers of a response. */
export interface RateHeaders {
  readonly limit: number;
  readonly remaining: number;
}

export const headersOf = (
  { limit, remaining }: RateHeaders,
  resetSeconds: number,
): Readonly<Record<string, string>> => ({
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(Math.max(0, remaining)),
  'ratelimit-reset': String(resetSeconds),
});

/** Seconds of the `retry-after` header if too many requests are in flight. */
const inFlightRetrySeconds = 1;

export const tooManyInFlight = ({ holder, isOwn = false, inFlight }: RateTerms, key: RateLimitKey): AppError => {
  const limit = inFlight[key];
  const headers = headersOf({ limit, remaining: 0 }, inFlightRetrySeconds);
  return new AppError('rate_limited', `${holder} allows ${limit} ${key} at a time, heavy ones count as several`, {
    headers: { 'retry-after': String(inFlightRetrySeconds), ...headers },
    isOwn,
  });
};

/** Returns the rate whose requests in flight a request counts among: the most specific of its rates. */
export const inFlightKeyOf = (rates: readonly RateLimitKey[]): RateLimitKey => rates.at(-1) ?? 'requests';

/** Returns the attribute of a minute's item that sums the weight in flight of all processes. */
const inFlightName = (key: RateLimitKey): string => `${key}_in_flight`;

/** Returns the weight in flight that a shard allows. */
export const inFlightShareOf = (terms: RateTerms, key: RateLimitKey): number =>
  Math.floor(terms.inFlight[key] / shardsOf(terms, key).length);

/**
 * Weight in flight that one process has reported to the shard of a minute. The write that counts a request also reports
 * the difference from the last report, so that a finished request usually costs no write of its own. The item of the next
 * minute begins at 0, so the report of a dead process ends with the minute.
 */
export interface InFlightReport {
  readonly shard: number;
  reported: number;
  /** Weight in flight of all processes, as of the last write. */
  total: number;
}

/** Returns the report of this process to a shard. A report to another shard is dropped. */
export const reportTo = (
  reports: Map<RateLimitKey, InFlightReport>,
  key: RateLimitKey,
  shard: number,
): InFlightReport => {
  const last = reports.get(key);
  if (last?.shard === shard) return last;
  const report = { shard, reported: 0, total: last?.total ?? 0 };
  reports.set(key, report);
  return report;
};

/** Adds amounts to the item of a shard for the current minute. */
export type AddToShard = (shard: number, amounts: Readonly<Record<string, number>>) => Promise<Item | null>;

/** Adds amounts to a shard together with the change of this process's weight in flight. Returns the item of the shard. */
export const addWithReport = async (
  report: InFlightReport,
  { key, weight }: { readonly key: RateLimitKey; readonly weight: number },
  amounts: Readonly<Record<string, number>>,
  add: AddToShard,
): Promise<Item | null> => {
  const change = weight - report.reported;
  // Set before the write, so that a concurrent write does not report the same change.
  report.reported = weight;
  try {
    const item = await add(report.shard, { ...amounts, [inFlightName(key)]: change });
    report.total = numberOf(item, inFlightName(key));
    return item;
  } catch (error) {
    report.reported -= change;
    throw error;
  }
};

/** Whether so much is in flight that a finished request is reported at once. */
export const isNearBound = ({ total }: InFlightReport, terms: RateTerms, key: RateLimitKey): boolean =>
  total > inFlightShareOf(terms, key) / 2;

/** Weight in flight of this process, by the owner of the limits and by limit. */
export class RunningWeight {
  private readonly weights = new Map<string, number>();

  of(owner: string, key: RateLimitKey): number {
    return this.weights.get(`${owner} ${key}`) ?? 0;
  }

  add(owner: string, key: RateLimitKey, weight: number): void {
    const name = `${owner} ${key}`;
    const sum = this.of(owner, key) + weight;
    if (sum === 0) this.weights.delete(name);
    else this.weights.set(name, sum);
  }
}
