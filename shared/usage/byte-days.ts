import { type Holding, nothingHeld } from './usage-counters.ts';
import type { IndexMonth } from './contracts.ts';

/** Selects the bytes to count. */
type BytesOf = (holding: Holding) => number;

/**
 * Returns the byte-days of an index. It counts from change to change, because an organization may have thousands of indexes.
 * @param after Stored amounts since the last change of the month, or throughout the month if it has no change.
 */
const byteDaysOf = (bytesOf: BytesOf, month: IndexMonth | undefined, after: Holding, days: number): number => {
  const whole = Math.floor(days);
  const changes = [...(month?.dayEnds ?? [])].map(([day, end]) => ({ day: Number(day), end }));
  changes.sort((one, other) => one.day - other.day);
  const last = changes.at(-1);
  // The day after the last change begins with what is stored since.
  const ends = last === undefined ? [{ day: 1, end: after }] : [...changes, { day: last.day + 1, end: after }];
  let sum = bytesOf(after) * (days % 1);
  let [held, since]: [Holding, number] = [month?.start ?? nothingHeld, 1];
  for (const { day, end } of ends) {
    const until = Math.min(day, whole + 1);
    sum += bytesOf(held) * Math.max(0, until - since);
    [held, since] = [end, Math.max(since, until)];
  }
  return sum + bytesOf(held) * Math.max(0, whole + 1 - since);
};

/**
 * Returns the byte-days of the first `days` days of a month. A past day counts with the bytes at its end; the elapsed part
 * of the current day counts with the bytes stored now.
 * @param after Stored amounts of each index after its last change of the month; nothing if it has no entry.
 */
export const byteDays = (
  bytesOf: BytesOf,
  indexes: readonly IndexMonth[],
  after: ReadonlyMap<string, Holding>,
  days: number,
): number => {
  const changed = new Map(indexes.map((index) => [index.indexId, index]));
  return [...new Set([...changed.keys(), ...after.keys()])].reduce(
    (sum, id) => sum + byteDaysOf(bytesOf, changed.get(id), after.get(id) ?? nothingHeld, days),
    0,
  );
};
