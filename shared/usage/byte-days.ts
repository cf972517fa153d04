import { type Holding, nothingHeld } from './usage-counters.ts';
import type { IndexMonth } from './contracts.ts';

/** Selects the bytes to count. */
type BytesOf = (holding: Holding) => number;

/** @param after Stored amounts since the last change of the month, or throughout the month if it has no change. */
const byteDaysOf = (bytesOf: BytesOf, month: IndexMonth | undefined, after: Holding, days: number): number => {
  const lastChange = Math.max(0, ...Array.from(month?.dayEnds.keys() ?? [], Number));
  let held = month?.start ?? nothingHeld;
  let sum = 0;
  for (let day = 1; day <= days; day += 1) {
    held = day > lastChange ? after : (month?.dayEnds.get(String(day).padStart(2, '0')) ?? held);
    sum += bytesOf(held);
  }
  return sum + bytesOf(after) * (days % 1);
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
