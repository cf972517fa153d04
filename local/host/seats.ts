import type { FunctionDefinition } from './function-definition.ts';
import type { FunctionProcess, RunOutcome } from './function-process.ts';
import { openDescriptors, residentBytes } from './process-extent.ts';

/** How far functions may use the machine. */
export interface HostLimits {
  /** Processes in all. A function without any gets its first one beyond this, so that callers of it never starve. */
  readonly processes: number;
  readonly processesPerFunction: number;
  readonly processesPerHeavyFunction: number;
  /** A function of this memory size or more is heavy. */
  readonly heavyMemoryMb: number;
  /** An idle process stays this long whatever it holds … */
  readonly warmMs: number;
  /** … then only while the host and all idle ones together hold no more than this … */
  readonly idleBytes: number;
  /** … and never longer than this. */
  readonly idleMs: number;
  /** A caller who waits this long for the processes of others gets one beyond the bound of its function. */
  readonly spareAfterMs: number;
  /** An event of more characters is a large one. */
  readonly largeEvent: number;
  /** Large events of one caller that run at a time, since each keeps a processor busy while it is parsed. */
  readonly largeRunsPerCaller: number;
  /** A process with more files open than this takes no further run. */
  readonly openFiles: number;
  /** Whether a process is stopped between its runs, as Lambda freezes one. */
  readonly freezesIdle: boolean;
}

/** Fits two cores, and leaves the idle service under 400 MB. */
export const defaultHostLimits: HostLimits = {
  processes: 24,
  processesPerFunction: 6,
  processesPerHeavyFunction: 2,
  heavyMemoryMb: 2048,
  warmMs: 30_000,
  idleBytes: 350 * 1024 * 1024,
  idleMs: 10 * 60_000,
  spareAfterMs: 100,
  largeEvent: 1024 * 1024,
  largeRunsPerCaller: 2,
  openFiles: 400,
  freezesIdle: false,
};

/** Limits that are near those of Lambda: idle processes are frozen, and end after ten minutes. */
export const lambdaHostLimits: HostLimits = {
  ...defaultHostLimits,
  processes: 64,
  idleBytes: Number.POSITIVE_INFINITY,
  freezesIdle: true,
};

/** A run that somebody waits for. */
export interface Order {
  readonly requestId: string;
  readonly payload: string;
  /** On whose behalf it runs; empty for work that queues and the clock drive. */
  readonly caller: string;
  readonly sinceMs: number;
  readonly settle: (outcome: RunOutcome) => void;
}

/** A process of a function. */
export interface Seat {
  readonly owner: Pool;
  readonly process: FunctionProcess;
  busy: boolean;
  /** Whether it has had no run yet. */
  cold: boolean;
  /** Whether its process has yet to load the handler. */
  starting: boolean;
  /** Of its last run. */
  caller: string;
  /** Whether the event of its last run is a large one. */
  isLarge: boolean;
  idleSinceMs: number;
  /** Whether its run is its last. */
  worn: boolean;
}

/** The processes of one function, and who waits for one. */
export interface Pool {
  readonly definition: FunctionDefinition;
  /** Processes of this function; one more runs for a caller who would wait for others. */
  readonly bound: number;
  /** More of them, for runs that must not wait until one of the others is free. */
  readonly spare: number;
  readonly seats: Set<Seat>;
  readonly waiting: Order[];
  /** Caller of the run that began last. */
  lastCaller: string;
}

/** All pools, by region and name. */
export type Pools = ReadonlyMap<string, Pool>;

export const poolKey = ({ region, name }: { readonly region: string; readonly name: string }): string =>
  `${region}/${name}`;

/** Whether a function is heavy: in Lambda it has more than one processor, others have a part of one. */
export const isHeavy = ({ memoryMb }: FunctionDefinition, { heavyMemoryMb }: HostLimits): boolean =>
  memoryMb >= heavyMemoryMb;

/** An empty pool for each function. */
export const openPools = (
  functions: readonly FunctionDefinition[],
  limits: HostLimits,
  spareOf: (definition: FunctionDefinition) => number,
): Pools =>
  new Map(
    functions.map((definition) => {
      const bound = isHeavy(definition, limits) ? limits.processesPerHeavyFunction : limits.processesPerFunction;
      return [
        poolKey(definition),
        { definition, bound, spare: spareOf(definition), seats: new Set(), waiting: [], lastCaller: '' },
      ];
    }),
  );

export const allSeats = (pools: Pools): readonly Seat[] => [...pools.values()].flatMap(({ seats }) => [...seats]);

/** Seats that could take a run, the longest idle first. */
export const idleSeats = (pools: Pools): readonly Seat[] =>
  allSeats(pools)
    .filter(({ busy, starting }) => !busy && !starting)
    .toSorted((one, other) => one.idleSinceMs - other.idleSinceMs);

/**
 * Seats of processes that are to make way for fresh ones, as those of Lambda do every few hours: the engine keeps files
 * open that nobody needs any more, some for each time an index is maintained, and a system allows a process so many.
 */
const wornSeats = (pools: Pools, limits: HostLimits): readonly Seat[] =>
  allSeats(pools).filter(({ process }) => openDescriptors(process.pid) > limits.openFiles);

/** The idle seats that the limits no longer allow. */
const surplusSeats = (pools: Pools, limits: HostLimits, nowMs: number): readonly Seat[] => {
  const idle = idleSeats(pools).map((seat) => ({ seat, bytes: residentBytes(seat.process.pid) }));
  let held = idle.reduce((sum, { bytes }) => sum + bytes, residentBytes(process.pid));
  return idle
    .filter(({ seat, bytes }) => {
      const idleMs = nowMs - seat.idleSinceMs;
      const surplus = idleMs >= limits.idleMs || (idleMs >= limits.warmMs && held > limits.idleBytes);
      held -= surplus ? bytes : 0;
      return surplus;
    })
    .map(({ seat }) => seat);
};

/** The seat of a process that has yet to load its handler. */
export const newSeat = (owner: Pool, process: FunctionProcess): Seat => ({
  owner,
  process,
  busy: false,
  cold: true,
  starting: true,
  caller: '',
  isLarge: false,
  idleSinceMs: performance.now(),
  worn: false,
});

/** Ends the process of a seat. */
export const leave = (seat: Seat): void => {
  seat.owner.seats.delete(seat);
  seat.process.kill();
};

/** Ends the process of a seat once it has started and its run has ended. */
export const retire = (seat: Seat): void => {
  seat.worn = true;
  if (!seat.busy && !seat.starting) leave(seat);
};

/** Ends what the limits no longer allow, a process with a run after that. */
export const trimSeats = (pools: Pools, limits: HostLimits, nowMs: number): void => {
  wornSeats(pools, limits).forEach(retire);
  surplusSeats(pools, limits, nowMs).forEach(leave);
};
