import { embedderFunction } from '../../../../shared/platform/models/assets.ts';
import { rerankerFunction } from '../../../../shared/platform/rerank/names.ts';
import { functionId, type FunctionDefinition } from './function-definition.ts';
import type { RunOutcome, Sandbox } from './sandbox.ts';
import type { SharedProcess } from './shared-process.ts';
import { openDescriptors, residentBytes } from './process-usage.ts';

/** Functions that run models. */
export const modelFunctions: ReadonlySet<string> = new Set([embedderFunction, rerankerFunction]);

/** Limits of functions on the resources of the machine. */
export interface HostLimits {
  /** Maximum of all processes and threads of functions. A function gets its first one beyond this, so that its callers never starve. */
  readonly processes: number;
  readonly processesPerFunction: number;
  readonly processesPerHeavyFunction: number;
  /** Memory size from which a function is heavy. */
  readonly heavyMemoryMb: number;
  /** Ids of functions that have one process for all callers, since its memory is large and its runs are short. */
  readonly singleProcess: ReadonlySet<string>;
  /** Interval in which idle processes are looked at. */
  readonly trimMs: number;
  /** An idle process stays at least this long … */
  readonly warmMs: number;
  /** … then only while the host and all idle processes together use no more memory than this … */
  readonly idleBytes: number;
  /** … and at most this long. */
  readonly idleMs: number;
  /** A caller that waits this long for processes busy with others gets one beyond the bound of its function. */
  readonly spareAfterMs: number;
  /** Number of characters above which an event is large. */
  readonly largeEvent: number;
  /** Maximum of concurrent large events of one caller, since each keeps a processor busy while it is parsed. */
  readonly largeRunsPerCaller: number;
  /** Number of open files above which a process handles no further run, beside those that each thread has by itself. */
  readonly openFiles: number;
  /** Whether a process is stopped between its runs, as Lambda freezes its sandboxes. */
  readonly freezesIdle: boolean;
  /** Whether each function has processes of its own, instead of threads in processes that functions share. */
  readonly isolatesFunctions: boolean;
}

/** Limits for two cores, with which the idle service stays under 250 MB. */
export const defaultHostLimits: HostLimits = {
  processes: 24,
  processesPerFunction: 6,
  processesPerHeavyFunction: 2,
  heavyMemoryMb: 2048,
  singleProcess: modelFunctions,
  trimMs: 2_000,
  warmMs: 8_000,
  idleBytes: 200 * 1024 * 1024,
  idleMs: 10 * 60_000,
  spareAfterMs: 100,
  largeEvent: 1024 * 1024,
  largeRunsPerCaller: 2,
  openFiles: 400,
  freezesIdle: false,
  isolatesFunctions: false,
};

/** Limits similar to those of Lambda: idle processes are frozen, and end after ten minutes. */
export const lambdaHostLimits: HostLimits = {
  ...defaultHostLimits,
  processes: 64,
  singleProcess: new Set(),
  idleBytes: Number.POSITIVE_INFINITY,
  freezesIdle: true,
  isolatesFunctions: true,
};

/** A request to run a function, until it has its outcome. */
export interface PendingInvocation {
  readonly requestId: string;
  readonly payload: string;
  /** Caller on whose behalf it runs; empty for events of queues and schedules. */
  readonly caller: string;
  readonly sinceMs: number;
  readonly resolve: (outcome: RunOutcome) => void;
}

/** A sandbox of a function in its pool. */
export interface PooledSandbox {
  readonly owner: Pool;
  readonly sandbox: Sandbox;
  /** Process of the sandbox if functions share it. */
  readonly shared: SharedProcess | null;
  busy: boolean;
  /** Whether the process has had no run yet. */
  cold: boolean;
  /** Whether the process has yet to load the handler. */
  starting: boolean;
  /** Caller of the last run. */
  caller: string;
  /** Whether the event of the last run is a large one. */
  isLarge: boolean;
  idleSinceMs: number;
  /** Whether the process ends after its present run. */
  retiring: boolean;
}

/** Processes of one function, and the requests that wait for one. */
export interface Pool {
  readonly definition: FunctionDefinition;
  /** Maximum of processes. */
  readonly bound: number;
  /** Additional processes, for runs that must not wait until one of the others is free. */
  readonly spare: number;
  /** Whether a caller that would wait for others may get a process beyond these. */
  readonly mayExceed: boolean;
  readonly processes: Set<PooledSandbox>;
  readonly waiting: PendingInvocation[];
  /** Caller of the run that started last. */
  lastCaller: string;
}

/** All pools, by region and name. */
export type Pools = ReadonlyMap<string, Pool>;

export const poolKey = ({ region, name }: { readonly region: string; readonly name: string }): string =>
  `${region}/${name}`;

/** Whether a function is heavy: in Lambda it has more than one processor, other functions have a share of one. */
export const isHeavy = ({ memoryMb }: FunctionDefinition, { heavyMemoryMb }: HostLimits): boolean =>
  memoryMb >= heavyMemoryMb;

/** Returns the bounds of a pool. */
const boundsOf = (
  definition: FunctionDefinition,
  limits: HostLimits,
  spareOf: (definition: FunctionDefinition) => number,
): Pick<Pool, 'bound' | 'spare' | 'mayExceed'> => {
  if (limits.singleProcess.has(functionId(definition))) return { bound: 1, spare: 0, mayExceed: false };
  const bound = isHeavy(definition, limits) ? limits.processesPerHeavyFunction : limits.processesPerFunction;
  return { bound, spare: spareOf(definition), mayExceed: true };
};

/** Creates an empty pool for each function. */
export const openPools = (
  functions: readonly FunctionDefinition[],
  limits: HostLimits,
  spareOf: (definition: FunctionDefinition) => number,
): Pools =>
  new Map(
    functions.map((definition) => [
      poolKey(definition),
      {
        definition,
        ...boundsOf(definition, limits, spareOf),
        processes: new Set(),
        waiting: [],
        lastCaller: '',
      },
    ]),
  );

export const allProcesses = (pools: Pools): readonly PooledSandbox[] =>
  [...pools.values()].flatMap(({ processes }) => [...processes]);

/** Returns the processes that could handle a run, the longest idle first. */
export const idleProcesses = (pools: Pools): readonly PooledSandbox[] =>
  allProcesses(pools)
    .filter(({ busy, starting }) => !busy && !starting)
    .toSorted((one, other) => one.idleSinceMs - other.idleSinceMs);

/** Open files that a thread of a shared process has by itself: its event loop, pipes and connections. */
const filesOfThread = 12;

/**
 * Returns the processes to replace by fresh ones, as Lambda does every few hours. The engine keeps unused files open, some
 * for each maintenance of an index, and the system limits the open files of a process.
 */
const processesToReplace = (pools: Pools, limits: HostLimits): readonly PooledSandbox[] =>
  allProcesses(pools).filter(
    ({ sandbox, shared }) => openDescriptors(sandbox.pid) > limits.openFiles + filesOfThread * (shared?.threads() ?? 0),
  );

/** Returns the idle processes that exceed the limits. */
const surplusProcesses = (pools: Pools, limits: HostLimits, nowMs: number): readonly PooledSandbox[] => {
  const idle = idleProcesses(pools).map((pooled) => ({
    pooled,
    bytes: residentBytes(pooled.sandbox.pid) / (pooled.shared?.threads() ?? 1),
  }));
  let held = idle.reduce((sum, { bytes }) => sum + bytes, residentBytes(process.pid));
  return idle
    .filter(({ pooled, bytes }) => {
      const idleMs = nowMs - pooled.idleSinceMs;
      const surplus = idleMs >= limits.idleMs || (idleMs >= limits.warmMs && held > limits.idleBytes);
      held -= surplus ? bytes : 0;
      return surplus;
    })
    .map(({ pooled }) => pooled);
};

/** Returns the pool entry of a process that has yet to load its handler. */
export const newPooledSandbox = (owner: Pool, sandbox: Sandbox, shared: SharedProcess | null): PooledSandbox => ({
  owner,
  sandbox,
  shared,
  busy: false,
  cold: true,
  starting: true,
  caller: '',
  isLarge: false,
  idleSinceMs: performance.now(),
  retiring: false,
});

/** Ends a process and removes it from its pool. */
export const endProcess = (pooled: PooledSandbox): void => {
  pooled.owner.processes.delete(pooled);
  pooled.sandbox.kill();
};

/** Ends a process once it has started and its run has ended. */
export const retireProcess = (pooled: PooledSandbox): void => {
  pooled.retiring = true;
  if (!pooled.busy && !pooled.starting) endProcess(pooled);
};

/** Ends the processes that exceed the limits, a busy one after its run. */
export const trimProcesses = (pools: Pools, limits: HostLimits, nowMs: number): void => {
  for (const pooled of processesToReplace(pools, limits)) {
    pooled.shared?.retire();
    retireProcess(pooled);
  }
  surplusProcesses(pools, limits, nowMs).forEach(endProcess);
};
