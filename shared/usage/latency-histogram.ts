/*
 * Histogram of latencies with fixed buckets, so that histograms of processes and days can be added. Three buckets per
 * doubling make a percentile differ from the exact one by at most 26 %, and a day of them fits one write unit of DynamoDB.
 */

/** Upper bound of the first bucket in milliseconds. */
const firstBoundMs = 0.5;
const bucketsPerDoubling = 3;
/** Its upper bound is 32.8 seconds, which is longer than any request. It also has what exceeds that. */
const lastBucket = 48;

/** Number of latencies by bucket. */
export type LatencyHistogram = ReadonlyMap<number, number>;

/** Number of measured latencies and their percentiles in milliseconds. */
export interface LatencySummary {
  readonly measured: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
}

/** Returns the upper bound of a bucket in milliseconds, inclusive. */
const boundOf = (bucket: number): number => firstBoundMs * 2 ** (bucket / bucketsPerDoubling);

/** Returns the bucket of a latency. */
export const bucketOf = (ms: number): number =>
  Math.min(lastBucket, Math.max(0, Math.ceil(bucketsPerDoubling * Math.log2(ms / firstBoundMs))));

/** Adds histograms. */
export const addHistograms = (histograms: Iterable<LatencyHistogram>): LatencyHistogram => {
  const sum = new Map<number, number>();
  for (const histogram of histograms)
    for (const [bucket, count] of histogram) sum.set(bucket, (sum.get(bucket) ?? 0) + count);
  return sum;
};

/** Returns a percentile, interpolated within its bucket. */
const percentile = (sorted: readonly (readonly [number, number])[], total: number, share: number): number => {
  const rank = share * total;
  let below = 0;
  for (const [bucket, count] of sorted) {
    if (below + count >= rank) {
      const lower = bucket === 0 ? 0 : boundOf(bucket - 1);
      const ms = lower + (boundOf(bucket) - lower) * ((rank - below) / count);
      return Math.round(ms * 100) / 100;
    }
    below += count;
  }
  return 0;
};

/** Returns the percentiles of a histogram; null if it is empty. */
export const summarizeLatencies = (histogram: LatencyHistogram): LatencySummary | null => {
  const sorted = [...histogram].filter(([, count]) => count > 0).toSorted(([one], [other]) => one - other);
  const measured = sorted.reduce((sum, [, count]) => sum + count, 0);
  if (measured === 0) return null;
  const of = (share: number): number => percentile(sorted, measured, share);
  return { measured, p50_ms: of(0.5), p95_ms: of(0.95), p99_ms: of(0.99) };
};
