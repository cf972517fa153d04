import type { HandlerSpan } from '../shape/request-trace.ts';
import type { FunctionFault, InvocationRequest, Output, SandboxMessage } from './messages.ts';

/** Outcome of a run. A fault is a function error of Lambda. */
export type RunOutcome =
  | { readonly ok: true; readonly payload: string; readonly span?: HandlerSpan }
  | { readonly ok: false; readonly fault: FunctionFault; readonly span?: HandlerSpan };

export interface LogLine {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
  /** Request id of the run that was going on when the line was written; null before the first. */
  readonly requestId: string | null;
}

/**
 * Sandbox of one function: a process, or a thread of a process that functions share. Once it has started, it handles one
 * invocation at a time.
 */
export interface Sandbox {
  /** Process in which it runs. */
  readonly pid: number;
  /** Whether it can handle another invocation. */
  readonly alive: () => boolean;
  /** Resolves to null once the sandbox has loaded its handler, or to the fault if it failed to. */
  readonly started: Promise<FunctionFault | null>;
  /** Handles one invocation. After a timeout or a crash the sandbox has ended. Never rejects. */
  readonly run: (request: Omit<InvocationRequest, 'deadlineMs'>, timeoutSeconds: number) => Promise<RunOutcome>;
  /** Stops it until its next run, as Lambda freezes sandboxes between invocations. Only for a process of its own. */
  readonly freeze: () => void;
  readonly kill: () => void;
  readonly exited: Promise<void>;
}

const startLimitMs = 60_000;

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

/** How a sandbox ended: an exit code or a signal, or the reason for which it could not be started. */
export interface SandboxExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly error?: unknown;
}

/** Connection to a process or thread. */
export interface SandboxChannel {
  readonly pid: number;
  /** Sends an invocation. Nothing happens if the sandbox has ended. */
  readonly send: (request: InvocationRequest) => void;
  /** Receives messages until the next call. */
  readonly onMessage: (listener: (message: SandboxMessage) => void) => void;
  /** Resolves when the sandbox has ended or could not be started. */
  readonly exited: Promise<SandboxExit>;
  readonly kill: () => void;
  /** Stops and continues the process. Only for a process of its own. */
  readonly freeze?: () => boolean;
  readonly thaw?: () => boolean;
}

/** Splits output into lines. Text without an end of line is kept until it has one. */
const lineReader = (onLine: (text: string) => void): ((text: string) => void) => {
  let begun = '';
  return (text) => {
    const lines = `${begun}${text}`.split(/\r?\n/);
    begun = lines.pop() ?? '';
    lines.forEach(onLine);
  };
};

/** Fault of a start that took too long. */
const startTimeout: FunctionFault = {
  errorType: timeoutErrorType,
  errorMessage: `The function did not start in ${startLimitMs / 1000} seconds`,
};

/** A sandbox over the channel of its process or thread. */
class ChannelSandbox implements Sandbox {
  readonly pid: number;
  readonly started: Promise<FunctionFault | null>;
  readonly exited: Promise<void>;
  private readonly start = Promise.withResolvers<FunctionFault | null>();
  private readonly channel: SandboxChannel;
  private readonly onLine: (line: LogLine) => void;
  private requestId: string | null = null;
  private isUsable = true;
  private isFrozen = false;
  private onEnd: (outcome: RunOutcome) => void = () => {};

  constructor(channel: SandboxChannel, onLine: (line: LogLine) => void, onNative: (file: string) => void) {
    this.channel = channel;
    this.onLine = onLine;
    this.pid = channel.pid;
    this.started = this.start.promise;
    const startLimit = setTimeout(() => {
      this.kill();
      this.start.resolve(startTimeout);
    }, startLimitMs);
    void this.started.then(() => clearTimeout(startLimit));
    const readers = { stdout: this.reader('stdout'), stderr: this.reader('stderr') };
    channel.onMessage((message) => {
      if ('output' in message) for (const { stream, text } of message.output) readers[stream](text);
      if (message.kind === 'native') onNative(message.file);
      else this.receive(message);
    });
    this.exited = channel.exited.then(({ code, signal, error }) => {
      this.isUsable = false;
      const fault = error === undefined ? exitFault(this.requestId ?? 'none', code, signal) : startFault(error);
      this.start.resolve(fault);
      this.onEnd({ ok: false, fault });
    });
  }

  alive(): boolean {
    return this.isUsable;
  }

  kill(): void {
    this.isUsable = false;
    this.channel.kill();
  }

  freeze(): void {
    this.isFrozen = this.channel.freeze?.() === true;
  }

  async run(request: Omit<InvocationRequest, 'deadlineMs'>, timeoutSeconds: number): Promise<RunOutcome> {
    const { requestId } = request;
    this.requestId = requestId;
    if (this.isFrozen) this.isFrozen = this.channel.thaw?.() !== true;
    const outcome = await this.runOnce(request, timeoutSeconds);
    // The function could not log it.
    if (!outcome.ok && hasDied(outcome.fault))
      this.onLine({ stream: 'stderr', text: outcome.fault.errorMessage, requestId });
    return outcome;
  }

  private reader(stream: Output['stream']): (text: string) => void {
    return lineReader((text) => this.onLine({ stream, text, requestId: this.requestId }));
  }

  private receive(message: SandboxMessage): void {
    if (message.kind === 'ready') this.start.resolve(null);
    else if (message.kind === 'initFailed') this.start.resolve(message.fault);
    else if (message.kind === 'done') this.onEnd({ ok: true, payload: message.payload, span: message.span });
    else if (message.kind === 'failed') this.onEnd({ ok: false, fault: message.fault, span: message.span });
  }

  private async runOnce(request: Omit<InvocationRequest, 'deadlineMs'>, timeoutSeconds: number): Promise<RunOutcome> {
    const { promise, resolve } = Promise.withResolvers<RunOutcome>();
    const limit = setTimeout(() => {
      this.kill();
      resolve({ ok: false, fault: timeoutFault(request.requestId, timeoutSeconds) });
    }, timeoutSeconds * 1000);
    this.onEnd = resolve;
    if (this.isUsable) this.channel.send({ ...request, deadlineMs: Date.now() + timeoutSeconds * 1000 });
    else resolve({ ok: false, fault: exitFault(request.requestId, null, 'SIGKILL') });
    const outcome = await promise;
    clearTimeout(limit);
    this.onEnd = () => {};
    return outcome;
  }
}

/** Opens a sandbox whose output goes to `onLine` line by line. `onNative`: it loads native code in a thread. */
export const openSandbox = (
  channel: SandboxChannel,
  onLine: (line: LogLine) => void,
  onNative: (file: string) => void = () => {},
): Sandbox => new ChannelSandbox(channel, onLine, onNative);
