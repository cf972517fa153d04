import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { callerOf, nextInvocation } from './next-invocation.ts';
import { functionId, type FunctionDefinition } from './function-definition.ts';
import type { FunctionHost, HostOptions, Invocation, ProcessState } from './host-contracts.ts';
import { startFunctionProcess } from './function-process.ts';
import { type LogLine, type RunOutcome, type Sandbox, startFault } from './sandbox.ts';
import { type SharedProcess, startSharedProcess } from './shared-process.ts';
import { limitPayload } from './payload-limits.ts';
import type { FunctionFault } from './messages.ts';
import { preciseNowMs } from '../shape/request-trace.ts';
import { residentBytes } from './process-usage.ts';
import {
  allProcesses,
  idleProcesses,
  endProcess,
  newPooledSandbox,
  openPools,
  poolKey,
  retireProcess,
  trimProcesses,
  type PendingInvocation,
  type Pool,
  type Pools,
  type PooledSandbox,
} from './process-pool.ts';

interface Host extends HostOptions {
  readonly pools: Pools;
  readonly running: Set<Promise<void>>;
  /** The process of each group that takes further threads. */
  readonly shared: Map<string, SharedProcess>;
  closing: boolean;
  trimTimer: NodeJS.Timeout | undefined;
}

const closingOutcome: RunOutcome = {
  ok: false,
  fault: { errorType: 'Local.Closing', errorMessage: 'The local cloud is shutting down' },
};

const failNext = (host: Host, { definition, waiting }: Pool, fault: FunctionFault): void => {
  const invocation = waiting.shift();
  if (invocation !== undefined) {
    host.onLine(definition, { stream: 'stderr', text: fault.errorMessage, requestId: invocation.requestId });
    invocation.resolve({ ok: false, fault });
  }
};

/** Limit of a run that a debugger may pause. */
const inspectedTimeoutSeconds = 3600;

const isInspected = ({ inspect = [] }: Host, definition: FunctionDefinition): boolean =>
  inspect.includes(functionId(definition));

const sharedProcessOf = (host: Host, group: string, definition: FunctionDefinition): SharedProcess => {
  const present = host.shared.get(group);
  if (present?.isOpen() === true) return present;
  const shared = startSharedProcess({
    mark: host.files.mark,
    niceness: host.nicenessOf(definition),
    onLine: (line) => host.onLine({ ...definition, name: group }, line),
  });
  host.shared.set(group, shared);
  host.files.add(shared.pid);
  void shared.exited.then(() => host.files.remove(shared.pid));
  return shared;
};

/** Starts a sandbox: a thread of the process of its group, or a process of its own. */
const startSandbox = (host: Host, pool: Pool): readonly [Sandbox, SharedProcess | null] => {
  const { definition } = pool;
  const inspect = isInspected(host, definition);
  const group =
    inspect || host.limits.isolatesFunctions || host.native.has(functionId(definition))
      ? null
      : host.groupOf(definition);
  const common = {
    environment: host.environmentOf(definition),
    memoryMb: definition.memoryMb,
    onLine: (line: LogLine) => host.onLine(definition, line),
  };
  if (group !== null) {
    const shared = sharedProcessOf(host, group, definition);
    const onNative = (file: string): void => {
      host.native.add(functionId(definition));
      const text = JSON.stringify({ level: 'info', message: 'function.native', file });
      host.onLine(definition, { stream: 'stdout', text, requestId: null });
    };
    return [shared.startThread({ ...common, name: functionId(definition), onNative }), shared];
  }
  const { mark } = host.files;
  const process = startFunctionProcess({ ...common, mark, niceness: host.nicenessOf(definition), inspect });
  host.files.add(process.pid);
  void process.exited.then(() => host.files.remove(process.pid));
  return [process, null];
};

const startProcess = (host: Host, pool: Pool): void => {
  const [sandbox, shared] = startSandbox(host, pool);
  const pooled = newPooledSandbox(pool, sandbox, shared);
  pool.processes.add(pooled);
  void sandbox.started.then((fault) => {
    pooled.starting = false;
    pooled.idleSinceMs = performance.now();
    if (fault !== null || pooled.retiring) endProcess(pooled);
    if (fault !== null) failNext(host, pool, fault);
    serve(host, pool);
  });
  void sandbox.exited.then(() => {
    pool.processes.delete(pooled);
    serveAll(host);
  });
};

/** The oldest idle process of a pool. */
const freeProcess = ({ processes }: Pool): PooledSandbox | undefined =>
  [...processes].find(({ busy, starting, sandbox }) => !busy && !starting && sandbox.alive());

/**
 * Starts a process for waiting requests if the limits allow it. The processes of a function start one by one, since many
 * at once would take the processors from running requests. Once started, a process handles the request that is next then.
 */
const startAnother = (host: Host, pool: Pool): void => {
  if ([...pool.processes].some(({ starting }) => starting)) return;
  if (allProcesses(host.pools).length >= host.limits.processes) {
    const oldest = idleProcesses(host.pools)[0];
    if (oldest !== undefined) {
      endProcess(oldest);
    } else if (pool.processes.size > 0) {
      return;
    }
  }
  startProcess(host, pool);
};

const run = async (
  host: Host,
  pooled: PooledSandbox,
  { requestId, payload, caller, resolve }: PendingInvocation,
): Promise<void> => {
  const { definition } = pooled.owner;
  const { cold } = pooled;
  pooled.busy = true;
  pooled.cold = false;
  pooled.caller = caller;
  pooled.isLarge = payload.length > host.limits.largeEvent;
  pooled.owner.lastCaller = caller;
  const timeoutSeconds = isInspected(host, definition) ? inspectedTimeoutSeconds : definition.timeoutSeconds;
  const startMs = preciseNowMs();
  const running = pooled.sandbox.run({ requestId, payload, functionArn: definition.arn }, timeoutSeconds);
  // Sends the request to the process first, since a caller waits for its response.
  await setImmediate();
  host.ledger.record(functionId(definition), payload);
  const outcome = await running;
  if (host.limits.freezesIdle) pooled.sandbox.freeze();
  resolve(limitPayload(outcome));
  pooled.busy = false;
  pooled.idleSinceMs = performance.now();
  host.onRun?.({ function: functionId(definition), cold, startMs, endMs: preciseNowMs(), handler: outcome.span });
  const isNowNative = pooled.shared !== null && host.native.has(functionId(definition));
  if (pooled.retiring || isNowNative || !pooled.sandbox.alive()) {
    endProcess(pooled);
  }
};

const runAndGoOn = async (host: Host, pooled: PooledSandbox, invocation: PendingInvocation): Promise<void> => {
  await run(host, pooled, invocation);
  serveAll(host);
  planTrim(host);
};

const serve = (host: Host, pool: Pool): void => {
  while (pool.waiting.length > 0 && !host.closing) {
    try {
      const invocation = nextInvocation(pool, host.pools, host.limits);
      if (invocation === null) return;
      const pooled = freeProcess(pool);
      if (pooled === undefined) {
        startAnother(host, pool);
        return;
      }
      pool.waiting.splice(pool.waiting.indexOf(invocation), 1);
      const done = runAndGoOn(host, pooled, invocation).finally(() => host.running.delete(done));
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
      trimProcesses(host.pools, host.limits, performance.now());
      if (idleProcesses(host.pools).length > 0) {
        planTrim(host);
      }
    }, host.limits.trimMs).unref();
  }
};

const invoke = async (host: Host, definition: FunctionDefinition, payload: string): Promise<Invocation> => {
  const requestId = randomUUID();
  const pool = host.pools.get(poolKey(definition));
  if (pool === undefined || host.closing) {
    return { requestId, outcome: closingOutcome };
  }
  const outcome = await new Promise<RunOutcome>((resolve) => {
    pool.waiting.push({ requestId, payload, caller: callerOf(payload), sinceMs: performance.now(), resolve });
    serve(host, pool);
    if (pool.waiting.length > 0) setTimeout(() => serve(host, pool), host.limits.spareAfterMs + 1).unref();
  });
  return { requestId, outcome };
};

const close = async (host: Host, graceMs: number): Promise<void> => {
  host.closing = true;
  clearTimeout(host.trimTimer);
  for (const { resolve } of [...host.pools.values()].flatMap(({ waiting }) => waiting.splice(0))) {
    resolve(closingOutcome);
  }
  const deadline = Promise.withResolvers<void>();
  const timer = setTimeout(deadline.resolve, graceMs);
  await Promise.race([Promise.all(host.running), deadline.promise]);
  clearTimeout(timer);
  const processes = allProcesses(host.pools);
  for (const { sandbox } of processes) {
    sandbox.kill();
  }
  await Promise.all(processes.map(({ sandbox }) => sandbox.exited));
  await Promise.all([...host.shared.values()].map(({ exited }) => exited));
};

const describeProcess = ({ owner: { definition }, sandbox, busy }: PooledSandbox): ProcessState => ({
  pid: sandbox.pid,
  function: functionId(definition),
  region: definition.region,
  busy,
  residentBytes: residentBytes(sandbox.pid),
});

/** Opens a host for `functions`; no process starts before the first run. */
export const createFunctionHost = (options: HostOptions): FunctionHost => {
  const pools = openPools(options.functions, options.limits, options.spareOf);
  const host: Host = {
    ...options,
    pools,
    running: new Set(),
    shared: new Map(),
    closing: false,
    trimTimer: undefined,
  };
  return {
    find: (region, name) => pools.get(poolKey({ region, name }))?.definition,
    concurrency: (definition) => pools.get(poolKey(definition))?.bound ?? 1,
    spareConcurrency: (definition) => pools.get(poolKey(definition))?.spare ?? 0,
    invoke: (definition, payload) => invoke(host, definition, payload),
    processes: () => allProcesses(pools).map(describeProcess),
    endIdle: () => {
      const idle = idleProcesses(pools);
      idle.forEach(endProcess);
      return idle.length;
    },
    restart: (functionIds) => {
      allProcesses(pools)
        .filter(({ owner }) => functionIds.has(functionId(owner.definition)))
        .forEach(retireProcess);
    },
    close: (graceMs) => close(host, graceMs),
  };
};
