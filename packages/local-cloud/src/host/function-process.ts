import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { SandboxMessage } from './messages.ts';
import { type LogLine, openSandbox, type Sandbox, type SandboxExit } from './sandbox.ts';

const bootstrapFile = join(import.meta.dirname, 'bootstrap.mjs');

/** Reads the lines of a stream. A process that could not be started has none, in spite of its type. */
const readLines = (stream: Readable | null | undefined, onLine: (text: string) => void): void => {
  if (stream) createInterface({ input: stream, crlfDelay: Infinity }).on('line', onLine);
};

const giveWay = ({ pid }: ChildProcess, niceness: number): void => {
  if (pid === undefined || niceness === 0) return;
  try {
    setPriority(pid, niceness);
  } catch {
    // The process has ended, or the system does not permit it: then it runs at normal priority.
  }
};

/** Resolves when a process has ended or could not be started. */
const exitOf = (child: ChildProcess): Promise<SandboxExit> =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    // For every error, not only the first: an error without a listener would end the host.
    child.on('error', (error) => resolve({ code: null, signal: null, error }));
  });

/** Options of a process of the host. */
export interface ProcessOptions {
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly nodeOptions: readonly string[];
  /** Niceness of the process, 0 to 19: at 19 it yields the processor to all others. */
  readonly niceness: number;
  /** Gets output that native code writes, or that a process writes while it ends. */
  readonly onLine: (line: Omit<LogLine, 'requestId'>) => void;
}

/** A child process with a message channel. */
export interface HostProcess {
  readonly child: ChildProcess;
  readonly exited: Promise<SandboxExit>;
  readonly kill: () => void;
}

/** Starts a module in a process with exactly `environment`. For some causes, it throws if the system cannot start it. */
export const startProcess = (file: string, options: ProcessOptions): HostProcess => {
  const child = fork(file, options.arguments, {
    env: options.environment,
    execArgv: [...options.nodeOptions],
    // Avoids quoting payloads, which are JSON strings already, once more.
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const exited = exitOf(child);
  giveWay(child, options.niceness);
  readLines(child.stdout, (text) => options.onLine({ stream: 'stdout', text }));
  readLines(child.stderr, (text) => options.onLine({ stream: 'stderr', text }));
  return { child, exited, kill: () => void child.kill('SIGKILL') };
};

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
 * Starts a sandbox in a process of its own. If the system cannot start it, `started` resolves to a fault or, for some
 * causes, this function throws.
 */
export const startFunctionProcess = (options: {
  /** An argument by which the next host recognizes the process. */
  readonly mark: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly memoryMb: number;
  readonly niceness: number;
  /** Opens a debugger port. Node.js writes its address to stderr. */
  readonly inspect: boolean;
  readonly onLine: (line: LogLine) => void;
}): Sandbox => {
  const { child, exited, kill } = startProcess(bootstrapFile, {
    arguments: [options.mark],
    environment: options.environment,
    nodeOptions: [...heapArguments(options.memoryMb), ...(options.inspect ? ['--inspect=127.0.0.1:0'] : [])],
    niceness: options.niceness,
    onLine: (line) => options.onLine({ ...line, requestId: null }),
  });
  const channel = {
    pid: child.pid ?? -1,
    // If the channel is closed already, `exited` reports it.
    send: (request: object) => void child.send(request, () => {}),
    onMessage: (listener: (message: SandboxMessage) => void) => void child.on('message', listener),
    exited,
    kill,
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
  };
  return openSandbox(channel, options.onLine);
};
