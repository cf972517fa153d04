import type { TracedRun } from '../shape/request-trace.ts';
import type { FunctionDefinition } from './function-definition.ts';
import type { LogLine, RunOutcome } from './sandbox.ts';
import type { InvocationLedger } from './invocation-ledger.ts';
import type { NativeFunctions } from './native-functions.ts';
import type { ProcessFiles } from './process-files.ts';
import type { HostLimits } from './process-pool.ts';

export interface Invocation {
  readonly requestId: string;
  readonly outcome: RunOutcome;
}

/** A process as the health report shows it. */
export interface ProcessState {
  readonly pid: number;
  readonly function: string;
  readonly region: string;
  readonly busy: boolean;
  /** Memory of the process, which functions may share. */
  readonly residentBytes: number;
}

/** Runs functions in processes of their own, or in threads of processes that they share, started when they are first needed. */
export interface FunctionHost {
  readonly find: (region: string, name: string) => FunctionDefinition | undefined;
  /** Maximum of concurrent runs of a function. */
  readonly concurrency: (definition: FunctionDefinition) => number;
  /** Additional runs, kept free for work that must not wait for one of the others to end. */
  readonly spareConcurrency: (definition: FunctionDefinition) => number;
  /** Invokes a function with an event in JSON, once a process is free. Never rejects. */
  readonly invoke: (definition: FunctionDefinition, payload: string) => Promise<Invocation>;
  readonly processes: () => readonly ProcessState[];
  /** Ends the processes that have no run, so that the next run of their functions is cold. Returns their number. */
  readonly endIdle: () => number;
  /** Ends the processes of the functions with these ids, each after the run that it has, so that further runs load new code. */
  readonly restart: (functionIds: ReadonlySet<string>) => void;
  /** Waits at most `graceMs` for runs to end, then ends every process. */
  readonly close: (graceMs: number) => Promise<void>;
}

/** Functions of a host, and how it runs them. */
export interface HostOptions {
  readonly functions: readonly FunctionDefinition[];
  readonly environmentOf: (definition: FunctionDefinition) => Readonly<Record<string, string>>;
  /** Niceness of the processes of a function, 0 to 19. */
  readonly nicenessOf: (definition: FunctionDefinition) => number;
  /** Functions with the same group share a process; null for a function with processes of its own. */
  readonly groupOf: (definition: FunctionDefinition) => string | null;
  /** Processes of a function beyond its bound, for `spareConcurrency`. */
  readonly spareOf: (definition: FunctionDefinition) => number;
  /** Functions that load native code, whose crash would end a process with all its threads. */
  readonly native: NativeFunctions;
  readonly files: ProcessFiles;
  readonly ledger: InvocationLedger;
  readonly onLine: (definition: FunctionDefinition, line: LogLine) => void;
  readonly limits: HostLimits;
  /** Ids of the functions whose processes open a debugger port. Their runs may take an hour. */
  readonly inspect?: readonly string[];
  /** Gets each run when it has ended. */
  readonly onRun?: ((run: TracedRun) => void) | undefined;
}
