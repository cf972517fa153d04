import { laterBy } from '../kernel/clock.ts';
import { hourMs } from '../kernel/durations.ts';
import { textOf } from './read-item.ts';
import { absent, type Condition } from './condition.ts';
import type { Item, Key, Table } from './contracts.ts';

/*
 * Reservations. A plan allows a limited number of some resources. Such an item is stored with the id of a reservation, which
 * is then confirmed or cancelled. A cancelled item may be stored again under another reservation, so every decision names
 * the reservation that it is about. Stored names: the id is the attribute `tentative`, a replaced item is `former`.
 */

const formerAttribute = 'former';

/** Returns the reservation of an item; null if it is confirmed. */
export const reservationOf = (item: Item): string | null => textOf(item, 'tentative');

/** Number of confirmed items, and the reservations of the others. */
export interface ReservationCount {
  readonly kept: number;
  readonly tentative: readonly string[];
}

/** Counts items, each given as its reservation, or null if it is confirmed. */
export const countReservations = (attempts: readonly (string | null)[]): ReservationCount => {
  const tentative = attempts.filter((attempt) => attempt !== null);
  return { kept: attempts.length - tentative.length, tentative };
};

/** Exceeds the duration of a request and the difference of clocks. */
const abandonedAfterMs = hourMs;

/** Whether a reservation is so old that its request has ended. */
export const isAbandoned = (storedAt: string, now: Date): boolean => laterBy(storedAt, abandonedAfterMs) < now;

/** Returns a reservation that is neither confirmed nor abandoned; else null. */
export const pendingReservation = (reservation: string | null, storedAt: string, now: Date): string | null =>
  reservation === null || isAbandoned(storedAt, now) ? null : reservation;

/**
 * Stores an item as reserved. Returns false if the condition does not hold.
 * @param former Item that it replaces, which a cancellation restores.
 */
export const putReservation = (
  table: Table,
  item: Item,
  reservation: string,
  condition: Condition,
  former: Item | null = null,
): Promise<boolean> =>
  table.put({ ...item, tentative: reservation, ...(former === null ? {} : { [formerAttribute]: former }) }, condition);

/** Stores an item as reserved, unless it exists. Returns the reservation of the stored item; null if it is confirmed. */
export const reserveItem = async (table: Table, item: Item, reservation: string): Promise<string | null> => {
  for (;;) {
    if (await putReservation(table, item, reservation, absent)) return reservation;
    const existing = await table.get(item);
    if (existing !== null) return reservationOf(existing);
  }
};

/** Whether the item at a key is the reserved one, if other items may replace it. */
type Matches = (item: Item) => boolean;

const isConfirmed = async (table: Table, key: Key, matches: Matches): Promise<boolean> => {
  const item = await table.get(key);
  return item !== null && matches(item) && reservationOf(item) === null;
};

/** Confirms a reservation. True also if it is confirmed already; false if it was cancelled. */
export const confirmReservation = async (
  table: Table,
  key: Key,
  reservation: string,
  matches: Matches = () => true,
): Promise<boolean> => {
  const confirmed = await table.update(key, {
    remove: ['tentative', formerAttribute],
    condition: { tentative: { eq: reservation } },
  });
  return confirmed !== null || isConfirmed(table, key, matches);
};

/** Cancels a reservation and restores the item that it replaced. False if it is confirmed. */
export const cancelReservation = async (
  table: Table,
  key: Key,
  reservation: string,
  matches: Matches = () => true,
): Promise<boolean> => {
  const condition = { tentative: { eq: reservation } };
  // The cast is safe because `putReservation` stored it as an item.
  const former = (await table.get(key))?.[formerAttribute] as Item | undefined;
  const isCancelled = former === undefined ? await table.delete(key, condition) : await table.put(former, condition);
  return isCancelled || !(await isConfirmed(table, key, matches));
};
