import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { callerOf, nextOrder } from './callers.ts';
import { functionId, type FunctionDefinition } from './function-definition.ts';
import type { FunctionHost, HostOptions, Invocation, ProcessState } from './host-contracts.ts';
import { startFault, startFunctionProcess, type RunOutcome } from './function-process.ts';
import { handedOn } from './payload-limits.ts';
import type { FunctionFault } from './messages.ts';
import { residentBytes } from './process-extent.ts';
import {
  allSeats,
  idleSeats,
  leave,
  newSeat,
  openPools,
  poolKey,
  retire,
  trimSeats,
  type Order,
  type Pool,
  type Pools,
  type Seat,
} from './seats.ts';

interface Host extends HostOptions {
  readonly pools: Pools;
  readonly running: Set<Promise<void>>;
  closing: boolean;
  trimTimer: NodeJS.Timeout | undefined;
}

const closingOutcome: RunOutcome = {
  ok: false,
  fault: { errorType: 'Local.Closing', errorMessage: 'The local cloud is shutting down' },
};

const failNext = (host: Host, { definition, waiting }: Pool, fault: FunctionFault): void => {
  const order = waiting.shift();
  if (order !== undefined) {
    host.onLine(definition, { stream: 'stderr', text: fault.errorMessage, requestId: order.requestId });
    order.settle({ ok: false, fault });
  }
};

/** Limit of a run that a debugger may pause. */
const inspectedTimeoutSeconds = 3600;

const isInspected = ({ inspect = [] }: Host, definition: FunctionDefinition): boolean =>
  inspect.includes(functionId(definition));

const startSeat = (host: Host, pool: Pool): void => {
  const { definition } = pool;
  const process = startFunctionProcess({
    mark: host.files.mark,
    environment: host.environmentOf(definition),
    memoryMb: definition.memoryMb,
    niceness: host.nicenessOf(definition),
    inspect: isInspected(host, definition),
    onLine: (line) => host.onLine(definition, line),
  });
  const seat = newSeat(pool, process);
  pool.seats.add(seat);
  host.files.add(process.pid);
  void process.started.then((fault) => {
    seat.starting = false;
    seat.idleSinceMs = performance.now();
    if (fault !== null || seat.worn) leave(seat);
    if (fault !== null) failNext(host, pool, fault);
    serve(host, pool);
  });
  void process.exited.then(() => {
    host.files.remove(process.pid);
    pool.seats.delete(seat);
    serveAll(host);
  });
};

/** The oldest idle process of a pool. */
const freeSeat = ({ seats }: Pool): Seat | undefined =>
  [...seats].find(({ busy, starting, process }) => !busy && !starting && process.alive());

/**
 * Starts a process for waiting requests if the limits allow it. The processes of a function start one by one, since many
 * at once would take the processors from running requests. Once started, a process handles the request that is next then.
 */
const startAnother = (host: Host, pool: Pool): void => {
  if ([...pool.seats].some(({ starting }) => starting)) return;
  if (allSeats(host.pools).length >= host.limits.processes) {
    const oldest = idleSeats(host.pools)[0];
    if (oldest !== undefined) {
      leave(oldest);
    } else if (pool.seats.size > 0) {
      return;
    }
  }
  startSeat(host, pool);
};

const run = async (host: Host, seat: Seat, { requestId, payload, caller, settle }: Order): Promise<void> => {
  const { definition } = seat.owner;
  const { cold } = seat;
  seat.busy = true;
  seat.cold = false;
  seat.caller = caller;
  seat.isLarge = payload.length > host.limits.largeEvent;
  seat.owner.lastCaller = caller;
  const timeoutSeconds = isInspected(host, definition) ? inspectedTimeoutSeconds : definition.timeoutSeconds;
  const running = seat.process.run({ requestId, payload, functionArn: definition.arn }, timeoutSeconds);
  // Sends the request to the process first, since a caller waits for its response.
  await setImmediate();
  host.ledger.record(functionId(definition), payload);
  const outcome = await running;
  if (host.limits.freezesIdle) seat.process.freeze();
  settle(handedOn(outcome));
  seat.busy = false;
  seat.idleSinceMs = performance.now();
  host.onRun?.({ function: functionId(definition), cold });
  if (seat.worn || !seat.process.alive()) {
    leave(seat);
  }
};

const runAndGoOn = async (host: Host, seat: Seat, order: Order): Promise<void> => {
  await run(host, seat, order);
  serveAll(host);
  planTrim(host);
};

const serve = (host: Host, pool: Pool): void => {
  while (pool.waiting.length > 0 && !host.closing) {
    try {
      const order = nextOrder(pool, host.pools, host.limits);
      if (order === null) return;
      const seat = freeSeat(pool);
      if (seat === undefined) {
        startAnother(host, pool);
        return;
      }
      pool.waiting.splice(pool.waiting.indexOf(order), 1);
      const done = runAndGoOn(host, seat, order).finally(() => host.running.delete(done));
      host.running.add(done);
    } catch (error) {
      // The system cannot start a process: that fails the run that it was for, and the next run tries again.
      failNext(host, pool, startFault(error));
    }
  }
};

const serveAll = (host: Host): void => {
  for (const pool of host.pools.values()) {
    serve(host, pool);
  }
};

const planTrim = (host: Host): void => {
  if (!host.closing) {
    host.trimTimer ??= setTimeout(() => {
      host.trimTimer = undefined;
      trimSeats(host.pools, host.limits, performance.now());
      if (idleSeats(host.pools).length > 0) {
        planTrim(host);
      }
    }, host.limits.warmMs).unref();
  }
};

const invoke = async (host: Host, definition: FunctionDefinition, payload: string): Promise<Invocation> => {
  const requestId = randomUUID();
  const pool = host.pools.get(poolKey(definition));
  if (pool === undefined || host.closing) {
    return { requestId, outcome: closingOutcome };
  }
  const outcome = await new Promise<RunOutcome>((settle) => {
    pool.waiting.push({ requestId, payload, caller: callerOf(payload), sinceMs: performance.now(), settle });
    serve(host, pool);
    if (pool.waiting.length > 0) setTimeout(() => serve(host, pool), host.limits.spareAfterMs + 1).unref();
  });
  return { requestId, outcome };
};

const close = async (host: Host, graceMs: number): Promise<void> => {
  host.closing = true;
  clearTimeout(host.trimTimer);
  for (const { settle } of [...host.pools.values()].flatMap(({ waiting }) => waiting.splice(0))) {
    settle(closingOutcome);
  }
  const deadline = Promise.withResolvers<void>();
  const timer = setTimeout(deadline.resolve, graceMs);
  await Promise.race([Promise.all(host.running), deadline.promise]);
  clearTimeout(timer);
  const seats = allSeats(host.pools);
  for (const { process } of seats) {
    process.kill();
  }
  await Promise.all(seats.map(({ process }) => process.exited));
};

const describeSeat = ({ owner: { definition }, process, busy }: Seat): ProcessState => ({
  pid: process.pid,
  function: functionId(definition),
  region: definition.region,
  busy,
  residentBytes: residentBytes(process.pid),
});

/** Opens a host for `functions`; no process starts before the first run. */
export const createFunctionHost = (options: HostOptions): FunctionHost => {
  const pools = openPools(options.functions, options.limits, options.spareOf);
  const host: Host = { ...options, pools, running: new Set(), closing: false, trimTimer: undefined };
  return {
    find: (region, name) => pools.get(poolKey({ region, name }))?.definition,
    concurrency: (definition) => pools.get(poolKey(definition))?.bound ?? 1,
    spareConcurrency: (definition) => pools.get(poolKey(definition))?.spare ?? 0,
    invoke: (definition, payload) => invoke(host, definition, payload),
    processes: () => allSeats(pools).map(describeSeat),
    endIdle: () => {
      const idle = idleSeats(pools);
      idle.forEach(leave);
      return idle.length;
    },
    restart: (functionIds) => {
      allSeats(pools)
        .filter(({ owner }) => functionIds.has(functionId(owner.definition)))
        .forEach(retire);
    },
    close: (graceMs) => close(host, graceMs),
  };
};
