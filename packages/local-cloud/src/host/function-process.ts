import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { FunctionFault, InvocationRequest, ProcessMessage } from './messages.ts';

/** Outcome of a run. A fault is a function error of Lambda. */
export type RunOutcome =
  | { readonly ok: true; readonly payload: string }
  | { readonly ok: false; readonly fault: FunctionFault };

export interface LogLine {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
  /** Request id of the run that was going on when the line was written; null before the first. */
  readonly requestId: string | null;
}

/** One process of one function. Once it has started, it handles one invocation at a time. */
export interface FunctionProcess {
  readonly pid: number;
  /** Whether the process can handle another invocation. */
  readonly alive: () => boolean;
  /** Resolves to null once the process has loaded its handler, or to the fault if it failed to. */
  readonly started: Promise<FunctionFault | null>;
  /** Handles one invocation. After a timeout or a crash the process has ended. Never rejects. */
  readonly run: (request: Omit<InvocationRequest, 'deadlineMs'>, timeoutSeconds: number) => Promise<RunOutcome>;
  /** Stops the process until its next run, as Lambda freezes one between invocations. */
  readonly freeze: () => void;
  readonly kill: () => void;
  readonly exited: Promise<void>;
}

const startLimitMs = 60_000;
const bootstrapFile = join(import.meta.dirname, 'bootstrap.mjs');

/** Error types of runs whose process ended before its response, which exceeded its timeout, or which could not be started. */
const [exitErrorType, timeoutErrorType, startErrorType] = ['Runtime.ExitError', 'Sandbox.Timedout', 'Local.StartError'];

/** Whether the process of a run ended before its response. */
export const hasDied = ({ errorType }: FunctionFault): boolean =>
  errorType === exitErrorType || errorType === timeoutErrorType;

/** Whether the process of a run could not be started. */
export const hasNotStarted = ({ errorType }: FunctionFault): boolean => errorType === startErrorType;

const startReason = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  return /\bE[MN]FILE\b/.test(message) ? `${message} (too many open files: raise the limit by ulimit -n)` : message;
};

/** Fault of a run whose process could not be started, for example because no file descriptor is left. */
export const startFault = (error: unknown): FunctionFault => ({
  errorType: startErrorType,
  errorMessage: `The function could not be started: ${startReason(error)}`,
});

const exitFault = (requestId: string, code: number | null, signal: NodeJS.Signals | null): FunctionFault => ({
  errorType: exitErrorType,
  errorMessage: `RequestId: ${requestId} Error: Runtime exited with error: ${
    signal === null ? `exit status ${code}` : `signal: ${signal === 'SIGKILL' ? 'killed' : signal}`
  }`,
});

const timeoutFault = (requestId: string, seconds: number): FunctionFault => ({
  errorType: timeoutErrorType,
  errorMessage: `RequestId: ${requestId} Error: Task timed out after ${seconds.toFixed(2)} seconds`,
});

/** Reads the lines of a stream. A process that could not be started has none, in spite of its type. */
const readLines = (stream: Readable | null | undefined, onLine: (text: string) => void): void => {
  if (stream) {
    createInterface({ input: stream, crlfDelay: Infinity }).on('line', onLine);
  }
};

/** Resolves to null once the handler is loaded, or to the fault if loading failed. */
const started = (child: ChildProcess): Promise<FunctionFault | null> =>
  new Promise((resolve) => {
    const limit = setTimeout(() => {
      child.kill('SIGKILL');
      resolve({
        errorType: timeoutErrorType,
        errorMessage: `The function did not start in ${startLimitMs / 1000} seconds`,
      });
    }, startLimitMs);
    const finish = (fault: FunctionFault | null): void => {
      clearTimeout(limit);
      resolve(fault);
    };
    child.once('message', (message: ProcessMessage) => {
      finish(message.kind === 'initFailed' ? message.fault : null);
    });
    child.once('error', (error) => finish(startFault(error)));
    child.once('exit', (code, signal) => finish(exitFault('none', code, signal)));
  });

const runOnce = (
  child: ChildProcess,
  request: Omit<InvocationRequest, 'deadlineMs'>,
  timeoutSeconds: number,
): Promise<RunOutcome> =>
  new Promise((resolve) => {
    const finish = (outcome: RunOutcome): void => {
      clearTimeout(limit);
      child.off('message', onMessage);
      child.off('exit', onExit);
      resolve(outcome);
    };
    const onMessage = (message: ProcessMessage): void => {
      if (message.kind === 'done') {
        finish({ ok: true, payload: message.payload });
      } else if (message.kind === 'failed') {
        finish({ ok: false, fault: message.fault });
      }
    };
    const onExit = (code: number | null, signal: NodeJS.Signals | null): void => {
      finish({ ok: false, fault: exitFault(request.requestId, code, signal) });
    };
    const limit = setTimeout(() => {
      child.kill('SIGKILL');
      finish({ ok: false, fault: timeoutFault(request.requestId, timeoutSeconds) });
    }, timeoutSeconds * 1000);
    child.on('message', onMessage);
    child.on('exit', onExit);
    const deadlineMs = Date.now() + timeoutSeconds * 1000;
    // If the channel is closed already, the exit handler reports it.
    child.send({ ...request, deadlineMs } satisfies InvocationRequest, () => {});
  });

const giveWay = ({ pid }: ChildProcess, niceness: number): void => {
  if (pid === undefined || niceness === 0) {
    return;
  }
  try {
    setPriority(pid, niceness);
  } catch {
    // The process has ended, or the system does not permit it: then it runs at normal priority.
  }
};

/** Calls `onGone` and resolves when a process has ended or could not be started. */
const exitOf = (child: ChildProcess, onGone: () => unknown): Promise<void> =>
  new Promise((resolve) => {
    const gone = (): void => {
      onGone();
      resolve();
    };
    child.once('exit', gone);
    // For every error, not only the first: an error without a listener would end the host.
    child.on('error', gone);
  });

/** Memory in MB up to which a process has a small young generation: that of functions of the API. */
const maxSmallMb = 1_024;

/**
 * Returns the heap limits of a process. V8 lets the young generation grow to 48 MB or more, which many processes on one
 * machine keep. Large bodies took 100 MB more with it.
 */
const heapArguments = (memoryMb: number): readonly string[] => [
  `--max-old-space-size=${memoryMb}`,
  ...(memoryMb <= maxSmallMb ? ['--max-semi-space-size=4'] : []),
];

/**
 * Starts a process with exactly `environment`. Its output goes to `onLine` line by line. If the system cannot start it,
 * `started` resolves to a fault or, for some causes, this function throws.
 */
export const startFunctionProcess = (options: {
  /** An argument by which the next host recognizes the process. */
  readonly mark: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryMb: number;
  /** Niceness of the process, 0 to 19: at 19 it yields the processor to all others. */
  readonly niceness: number;
  /** Opens a debugger port. Node.js writes its address to stderr. */
  readonly inspect: boolean;
  readonly onLine: (line: LogLine) => void;
}): FunctionProcess => {
  const child = fork(bootstrapFile, [options.mark], {
    env: options.environment,
    execArgv: [...heapArguments(options.memoryMb), ...(options.inspect ? ['--inspect=127.0.0.1:0'] : [])],
    // Avoids quoting payloads, which are JSON strings already, once more.
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  giveWay(child, options.niceness);
  let requestId: string | null = null;
  let usable = true;
  let frozen = false;
  const exited = exitOf(child, () => (usable = false));
  readLines(child.stdout, (text) => options.onLine({ stream: 'stdout', text, requestId }));
  readLines(child.stderr, (text) => options.onLine({ stream: 'stderr', text, requestId }));
  const kill = (): void => {
    usable = false;
    child.kill('SIGKILL');
  };
  return {
    pid: child.pid ?? -1,
    alive: () => usable,
    started: started(child),
    run: async (request, timeoutSeconds) => {
      ({ requestId } = request);
      if (frozen) frozen = !child.kill('SIGCONT');
      const outcome = await runOnce(child, request, timeoutSeconds);
      // The function could not log it.
      if (!outcome.ok && hasDied(outcome.fault)) {
        options.onLine({ stream: 'stderr', text: outcome.fault.errorMessage, requestId: request.requestId });
      }
      if (!outcome.ok && outcome.fault.errorType === timeoutErrorType) {
        kill();
      }
      return outcome;
    },
    freeze: () => {
      frozen = child.kill('SIGSTOP');
    },
    kill,
    exited,
  };
};
