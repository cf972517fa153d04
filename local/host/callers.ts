import type { HostLimits, Order, Pool, Seat } from './seats.ts';

/** Header and field by which an event names its sender. Inside a body the quotes would be escaped. */
const names = [/"authorization":"([^"\\]*)"/, /"organization_id":"([^"\\]*)"/];

/** Returns the caller on whose behalf a function runs; empty for work that queues and the clock drive. */
export const callerOf = (payload: string): string =>
  names.map((name) => name.exec(payload)?.[1] ?? '').find((caller) => caller !== '') ?? '';

const busySeats = ({ seats }: Pool): readonly Seat[] => [...seats].filter(({ busy }) => busy);

const runsOf = (seats: readonly Seat[], { caller }: Order): number =>
  seats.filter((seat) => seat.caller === caller).length;

/**
 * Takes the order whose caller has the fewest runs. Among equals it takes the oldest of a caller other than that of the last
 * run: in Lambda, requests of one caller do not wait
 * for those of another. A caller without a run who has waited gets one beyond the bound of the pool. Null if no order may
 * run now.
 */
export const nextOrder = (pool: Pool, { spareAfterMs }: HostLimits): Order | null => {
  const busy = busySeats(pool);
  const mayHaveSpare = ({ caller, sinceMs }: Order): boolean =>
    caller !== '' && performance.now() - sinceMs >= spareAfterMs;
  const bound = pool.bound + pool.spare;
  let best: Order | null = null;
  let lowest = Infinity;
  for (const order of pool.waiting) {
    const runs = runsOf(busy, order);
    const mayRun = busy.length < bound || (busy.length === bound && runs === 0 && mayHaveSpare(order));
    const rank = order.caller === pool.lastCaller ? runs + 0.5 : runs;
    if (mayRun && rank < lowest) [best, lowest] = [order, rank];
    if (lowest === 0) break;
  }
  return best;
};
