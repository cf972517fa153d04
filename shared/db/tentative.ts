import { laterBy } from '../kernel/clock.ts';
import { hourMs } from '../kernel/durations.ts';
import { textOf } from './read-item.ts';
import { absent, type Condition } from './condition.ts';
import type { Item, Key, Table } from './contracts.ts';

/*
 * An item that is there tentatively carries the name of the attempt that stored it, until that attempt is kept. What one
 * attempt stored may be taken back and stored anew by another, so whoever has looked at the one decides on it alone.
 */

const formerName = 'former';

/** The attempt by which an item is there tentatively; null where it is kept. */
export const attemptOf = (item: Item): string | null => textOf(item, 'tentative');

/** How many items of a kind there are: those that are kept, and the attempts by which others are there tentatively. */
export interface Counted {
  readonly kept: number;
  readonly tentative: readonly string[];
}

/** Counts items, each given as the attempt that still has to decide on it, else as null. */
export const countAttempts = (attempts: readonly (string | null)[]): Counted => {
  const tentative = attempts.filter((attempt) => attempt !== null);
  return { kept: attempts.length - tentative.length, tentative };
};

/** Longer than any request lasts, however clocks differ. */
const abandonedAfterMs = hourMs;

/** Whether nobody will come any more to decide on what an attempt stored at a moment. */
export const isAbandoned = (storedAt: string, now: Date): boolean => laterBy(storedAt, abandonedAfterMs) < now;

/** The attempt that still has to decide on what it stored at a moment; null where that is kept, or nobody will come. */
export const undecided = (attempt: string | null, storedAt: string, now: Date): string | null =>
  attempt === null || isAbandoned(storedAt, now) ? null : attempt;

/**
 * Stores an item by an attempt; false where the condition does not hold.
 * @param former what it takes the place of, which comes back where the attempt is taken back.
 */
export const putTentative = (
  table: Table,
  item: Item,
  attempt: string,
  condition: Condition,
  former: Item | null = null,
): Promise<boolean> =>
  table.put({ ...item, tentative: attempt, ...(former === null ? {} : { [formerName]: former }) }, condition);

/** Stores an item unless it is there. The attempt by which it is there tentatively; null where it is kept. */
export const addTentative = async (table: Table, item: Item, attempt: string): Promise<string | null> => {
  for (;;) {
    if (await putTentative(table, item, attempt, absent)) return attempt;
    const held = await table.get(item);
    if (held !== null) return attemptOf(held);
  }
};

/** Whether one item is the one that is spoken of, where others may take its place. */
type IsIt = (item: Item) => boolean;

const isKept = async (table: Table, key: Key, isIt: IsIt): Promise<boolean> => {
  const item = await table.get(key);
  return item !== null && isIt(item) && attemptOf(item) === null;
};

/** Keeps what an attempt stored. True also where it is kept already, false where it has been taken back. */
export const keepTentative = async (
  table: Table,
  key: Key,
  attempt: string,
  isIt: IsIt = () => true,
): Promise<boolean> => {
  const kept = await table.update(key, {
    remove: ['tentative', formerName],
    condition: { tentative: { eq: attempt } },
  });
  return kept !== null || isKept(table, key, isIt);
};

/** Takes back what an attempt stored, so that what was there before is there again. False where it is kept. */
export const withdrawTentative = async (
  table: Table,
  key: Key,
  attempt: string,
  isIt: IsIt = () => true,
): Promise<boolean> => {
  const condition = { tentative: { eq: attempt } };
  // Cast: it was stored as an item.
  const former = (await table.get(key))?.[formerName] as Item | undefined;
  const isWithdrawn = former === undefined ? await table.delete(key, condition) : await table.put(former, condition);
  return isWithdrawn || !(await isKept(table, key, isIt));
};
