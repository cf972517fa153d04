import { allSeats, type HostLimits, type Order, type Pool, type Pools, type Seat } from './seats.ts';

/** Header and field of an event that identify its caller. In a body the quotes would be escaped. */
const names = [/"authorization":"([^"\\]*)"/, /"organization_id":"([^"\\]*)"/];

/** Returns the caller on whose behalf a function runs; empty for events of queues and schedules. */
export const callerOf = (payload: string): string =>
  names.map((name) => name.exec(payload)?.[1] ?? '').find((caller) => caller !== '') ?? '';

const busySeats = ({ seats }: Pool): readonly Seat[] => [...seats].filter(({ busy }) => busy);

const runsOf = (seats: readonly Seat[], caller: string): number =>
  seats.filter((seat) => seat.caller === caller).length;

/** Whether a caller has the maximum of large events running, over all functions. */
const hasLargeRuns = (pools: Pools, { caller }: Order, { largeRunsPerCaller }: HostLimits): boolean =>
  runsOf(
    allSeats(pools).filter(({ busy, isLarge }) => busy && isLarge),
    caller,
  ) >= largeRunsPerCaller;

/**
 * Returns the request whose caller has the fewest runs, since in Lambda requests of one caller do not wait for those of
 * another. Among equals it returns the oldest of a caller other than that of the last run. A caller without a run that
 * has waited `spareAfterMs` gets one beyond the bound of the pool. Null if no request may run now.
 */
export const nextOrder = (pool: Pool, pools: Pools, limits: HostLimits): Order | null => {
  const busy = busySeats(pool);
  const mayHaveSpare = ({ caller, sinceMs }: Order): boolean =>
    caller !== '' && performance.now() - sinceMs >= limits.spareAfterMs;
  const bound = pool.bound + pool.spare;
  let best: Order | null = null;
  let lowest = Infinity;
  for (const order of pool.waiting) {
    const runs = runsOf(busy, order.caller);
    // Events of queues have no caller, and the queue limits their size.
    const isHeld =
      order.caller !== '' && order.payload.length > limits.largeEvent && hasLargeRuns(pools, order, limits);
    const hasRoom = busy.length < bound || (busy.length === bound && runs === 0 && mayHaveSpare(order));
    const rank = order.caller === pool.lastCaller ? runs + 0.5 : runs;
    if (hasRoom && !isHeld && rank < lowest) [best, lowest] = [order, rank];
    if (lowest === 0) break;
  }
  return best;
};
