import {
  allProcesses,
  type HostLimits,
  type PendingInvocation,
  type Pool,
  type Pools,
  type PooledSandbox,
} from './process-pool.ts';

/**
 * Header and fields of an event that identify its caller. In a body the quotes would be escaped. Requests to embed text
 * have its use, so that queries and documents alternate.
 */
const names = [/"authorization":"([^"\\]*)"/, /"organization_id":"([^"\\]*)"/, /"use":"([^"\\]*)"/];

/** Returns the caller on whose behalf a function runs; empty for events of queues and schedules. */
export const callerOf = (payload: string): string =>
  names.map((name) => name.exec(payload)?.[1] ?? '').find((caller) => caller !== '') ?? '';

const busyProcesses = ({ processes }: Pool): readonly PooledSandbox[] => [...processes].filter(({ busy }) => busy);

const runsOf = (processes: readonly PooledSandbox[], caller: string): number =>
  processes.filter((process) => process.caller === caller).length;

/** Whether a caller has the maximum of large events running, over all functions. */
const hasMaxLargeRuns = (pools: Pools, { caller }: PendingInvocation, { largeRunsPerCaller }: HostLimits): boolean =>
  runsOf(
    allProcesses(pools).filter(({ busy, isLarge }) => busy && isLarge),
    caller,
  ) >= largeRunsPerCaller;

/**
 * Returns the request whose caller has the fewest runs, since in Lambda requests of one caller do not wait for those of
 * another. Among equals it returns the oldest of a caller other than that of the last run. A caller without a run that
 * has waited `spareAfterMs` gets one beyond the bound of the pool. Null if no request may run now.
 */
export const nextInvocation = (pool: Pool, pools: Pools, limits: HostLimits): PendingInvocation | null => {
  const busy = busyProcesses(pool);
  const mayHaveSpare = ({ caller, sinceMs }: PendingInvocation): boolean =>
    pool.mayExceed && caller !== '' && performance.now() - sinceMs >= limits.spareAfterMs;
  const bound = pool.bound + pool.spare;
  let best: PendingInvocation | null = null;
  let lowest = Infinity;
  for (const invocation of pool.waiting) {
    const runs = runsOf(busy, invocation.caller);
    // Events of queues have no caller, and the queue limits their size.
    const isHeld =
      invocation.caller !== '' &&
      invocation.payload.length > limits.largeEvent &&
      hasMaxLargeRuns(pools, invocation, limits);
    const hasRoom = busy.length < bound || (busy.length === bound && runs === 0 && mayHaveSpare(invocation));
    const rank = invocation.caller === pool.lastCaller ? runs + 0.5 : runs;
    if (hasRoom && !isHeld && rank < lowest) [best, lowest] = [invocation, rank];
    if (lowest === 0) break;
  }
  return best;
};
