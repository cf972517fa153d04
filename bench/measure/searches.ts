/** Times of searches of one or several concurrent clients. */
export interface SearchTimes {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Searches of all clients per second. */
  readonly perSecond: number;
}

/** Returns the value below which this share of the numbers lies. */
export const percentile = (numbers: readonly number[], share: number): number => {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

const median = (numbers: readonly number[]): number => percentile(numbers, 0.5);

/** One stretch of searches: the time of each, and of all together. */
export interface Stretch {
  readonly eachMs: readonly number[];
  readonly allMs: number;
}

/** Runs `searches` searches on `clients` clients. Each client starts the next search after the last response. */
export const runSearches = async (
  search: (number: number) => unknown,
  clients: number,
  searches: number,
): Promise<Stretch> => {
  const eachMs: number[] = [];
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < searches) {
      const number = next;
      next += 1;
      const startedMs = performance.now();
      await search(number);
      eachMs.push(performance.now() - startedMs);
    }
  };
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  return { eachMs, allMs: performance.now() - startedMs };
};

/** Joins stretches of one peer: percentiles over all searches, the rate of the median stretch. */
export const summarize = (stretches: readonly Stretch[]): SearchTimes => {
  const eachMs = stretches.flatMap((stretch) => stretch.eachMs);
  return {
    p50Ms: percentile(eachMs, 0.5),
    p95Ms: percentile(eachMs, 0.95),
    p99Ms: percentile(eachMs, 0.99),
    perSecond: median(stretches.map((stretch) => stretch.eachMs.length / (stretch.allMs / 1_000))),
  };
};

/** Share of the true rows that were found, over all lists. */
export const recallOf = (truth: readonly (readonly number[])[], found: readonly (readonly number[])[]): number => {
  const wanted = truth.reduce((sum, rows) => sum + rows.length, 0);
  const hits = truth.map((rows, at) => {
    const have = new Set(found[at]);
    return rows.filter((row) => have.has(row)).length;
  });
  return wanted === 0 ? 1 : hits.reduce((sum, count) => sum + count, 0) / wanted;
};
