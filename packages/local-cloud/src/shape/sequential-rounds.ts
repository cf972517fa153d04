/** A period of time. */
interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** Returns the length of the longest chain of requests in which each began after the one before it had ended. */
export const sequentialRounds = (spans: readonly Span[]): number => {
  let [rounds, freeFromMs] = [0, Number.NEGATIVE_INFINITY];
  // The request that ends first leaves the most time for others.
  for (const { startMs, endMs } of spans.toSorted((one, other) => one.endMs - other.endMs)) {
    if (startMs < freeFromMs) continue;
    rounds += 1;
    freeFromMs = endMs;
  }
  return rounds;
};
