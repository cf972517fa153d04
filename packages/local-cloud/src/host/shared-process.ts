import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type HostProcess, startProcess } from './function-process.ts';
import type { SandboxMessage, SharedMessage, SharedRequest } from './messages.ts';
import { type LogLine, openSandbox, type Sandbox, type SandboxChannel, type SandboxExit } from './sandbox.ts';

const bootstrapFile = join(import.meta.dirname, 'shared-bootstrap.mjs');

/** Interval in which a thread that is to end is looked at. Native code may keep it. */
const threadEndMs = 2_000;

/** Time after which the process of a thread that does not end is killed, even while other threads have a run. */
const threadEndLimitMs = 60_000;

/** Threads of the pool for file requests of a process, for all its functions together. Node.js has 4 by default. */
const poolThreads = 16;

/** Environment of the process. Its threads have none of these variables. glibc keeps memory for each thread by default. */
const sharedEnvironment = {
  LANG: 'en_US.UTF-8',
  TZ: ':UTC',
  UV_THREADPOOL_SIZE: String(poolThreads),
  MALLOC_ARENA_MAX: '2',
};

/** A process that several functions share. It ends when its last thread has ended. */
export interface SharedProcess {
  readonly pid: number;
  /** Number of its threads. */
  readonly threads: () => number;
  /** Whether it takes another thread. */
  readonly isOpen: () => boolean;
  /** Lets no other thread begin. */
  readonly retire: () => void;
  /** Starts a sandbox in a thread with exactly `environment`. `onNative`: it loads native code. */
  readonly startThread: (options: {
    readonly environment: Readonly<Record<string, string>>;
    readonly memoryMb: number;
    readonly name: string;
    readonly onLine: (line: LogLine) => void;
    readonly onNative: (file: string) => void;
  }) => Sandbox;
  readonly exited: Promise<SandboxExit>;
}

interface Thread {
  readonly exit: (exit: SandboxExit) => void;
  /** Whether it has a run, and is not to end. */
  isBusy: boolean;
  onMessage: (message: SandboxMessage) => void;
}

interface SharedOptions {
  /** An argument by which the next host recognizes the process. */
  readonly mark: string;
  readonly niceness: number;
  readonly onLine: (line: LogLine) => void;
}

type ThreadOptions = Parameters<SharedProcess['startThread']>[0];

const removeDirectory = (directory: string): void => {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    // The next start removes it.
  }
};

class ThreadedProcess implements SharedProcess {
  readonly pid: number;
  readonly exited: Promise<SandboxExit>;
  private readonly directory: string;
  private readonly process: HostProcess;
  private readonly running = new Map<number, Thread>();
  private lastThread = 0;
  private takesThreads = true;

  constructor({ mark, niceness, onLine }: SharedOptions) {
    this.process = startProcess(bootstrapFile, {
      arguments: [mark],
      environment: sharedEnvironment,
      nodeOptions: [],
      niceness,
      onLine: (line) => onLine({ ...line, requestId: null }),
    });
    const { child, exited } = this.process;
    this.pid = child.pid ?? -1;
    this.directory = join(mark, String(this.pid));
    this.exited = exited;
    child.on('message', (message: SharedMessage) => {
      const thread = this.running.get(message.thread);
      if ('message' in message) thread?.onMessage(message.message);
      else thread?.exit({ code: message.exitCode, signal: null });
    });
    void exited.then((exit) => this.end(exit));
  }

  threads(): number {
    return this.running.size;
  }

  isOpen(): boolean {
    return this.takesThreads;
  }

  retire(): void {
    this.takesThreads = false;
  }

  startThread({ environment, memoryMb, name, onLine, onNative }: ThreadOptions): Sandbox {
    const { promise: exited, resolve: exit } = Promise.withResolvers<SandboxExit>();
    this.lastThread += 1;
    const number = this.lastThread;
    const thread: Thread = { exit, isBusy: false, onMessage: () => {} };
    this.running.set(number, thread);
    const directory = join(this.directory, String(number));
    this.post({ kind: 'start', thread: number, environment, memoryMb, directory, name });
    void exited.then(() => {
      removeDirectory(directory);
      this.forget(number);
    });
    const channel: SandboxChannel = {
      pid: this.pid,
      send: (request) => {
        thread.isBusy = true;
        this.post({ kind: 'run', thread: number, request });
      },
      onMessage: (listener) => {
        thread.onMessage = (message) => {
          if (message.kind === 'done' || message.kind === 'failed') thread.isBusy = false;
          listener(message);
        };
      },
      exited,
      kill: () => {
        thread.isBusy = false;
        this.post({ kind: 'end', thread: number });
        this.awaitEnd(number, performance.now() + threadEndLimitMs);
      },
    };
    return openSandbox(channel, onLine, onNative);
  }

  /** Kills the process if a thread does not end: once no other thread has a run, or at the limit. */
  private awaitEnd(number: number, limitMs: number): void {
    const look = (): void => {
      if (!this.running.has(number)) return;
      this.retire();
      const isNeeded = [...this.running].some(([other, { isBusy }]) => other !== number && isBusy);
      if (isNeeded && performance.now() < limitMs) this.awaitEnd(number, limitMs);
      else this.end({ code: null, signal: 'SIGKILL' });
    };
    setTimeout(look, threadEndMs).unref();
  }

  /** Ends all threads. */
  private end(exit: SandboxExit): void {
    this.retire();
    this.process.kill();
    for (const thread of this.running.values()) thread.exit(exit);
  }

  private post(request: SharedRequest): void {
    // If the channel is closed already, `exited` reports it.
    this.process.child.send(request, () => {});
  }

  private forget(number: number): void {
    this.running.delete(number);
    if (this.running.size > 0) return;
    this.takesThreads = false;
    this.process.kill();
  }
}

/** Starts a process without a thread. For some causes, it throws if the system cannot start it. */
export const startSharedProcess = (options: SharedOptions): SharedProcess => new ThreadedProcess(options);
