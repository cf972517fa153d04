import { type Holding, nothingHeld } from './account.ts';
import type { IndexMonth } from './contracts.ts';

/** The bytes of a holding that are meant. */
type BytesOf = (holding: Holding) => number;

/** @param after What the index holds since its last change of the month, or has held throughout where it has none. */
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
 * Bytes that were kept in the first `days` days of a month, times the days for which they were: a day that has ended counts
 * at what was held at its end, the part of the day that runs at what is held now.
 * @param after What each index held after its last change of the month; nothing, where it has no entry.
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
