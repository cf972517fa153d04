import { type ChildProcess, fork } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Options of a guarded process: its code, and the bounds of each request. */
export interface GuardedOptions {
  /** Directory of files that the process reads besides its own code. */
  readonly assetsDirectory: string;
  /** Module that runs in the process. Its arguments are that directory and the maximum megabytes of memory. */
  readonly processPath: string;
  /** Directory of that module and all its imports. Default: the module's directory, since it is a bundle. */
  readonly codeDirectory?: string;
  /** Maximum seconds of a request. A caller may allow one request more. */
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
}

type Bound = { readonly seconds: number } | { readonly memoryMb: number };

/** Error: a request exceeded its bounds, so its process was killed. */
export class BoundExceeded extends Error {
  readonly bound: Bound;
  constructor(bound: Bound) {
    super(`the process took more than ${JSON.stringify(bound)}`);
    this.name = 'BoundExceeded';
    this.bound = bound;
  }
}

/** Options of a request. */
interface CallOptions {
  /** Payload of any length. */
  readonly bytes?: Uint8Array;
  /** Maximum milliseconds, if more than `timeoutSeconds`. */
  readonly maxMs?: number | undefined;
}

/** Sends requests to the process, one at a time. Throws `BoundExceeded`. */
export type GuardedCall<Request, Result> = (request: Request, options?: CallOptions) => Promise<Result>;

/** Request or response on the channel. A response has the id of its request. */
export interface Envelope<Body> {
  readonly id: number;
  readonly body: Body;
}

/** Piece of the payload of the next request. It has no response. */
export interface Piece {
  readonly id: number;
  readonly at: number;
  readonly totalBytes: number;
  readonly piece: Uint8Array;
}

/** Starts the process. Paths are resolved, since Node.js checks the permission to read the target of a link. */
const startProcess = (options: GuardedOptions): ChildProcess => {
  const { memoryMb } = options;
  const processPath = realpathSync(options.processPath);
  const assetsDirectory = realpathSync(options.assetsDirectory);
  const codeDirectory = realpathSync(options.codeDirectory ?? dirname(processPath));
  // A failure of the channel also ends the process, so `error` events are ignored.
  return fork(processPath, [assetsDirectory, String(memoryMb)], {
    cwd: dirname(processPath),
    // The process parses untrusted bytes, so it has no credentials, writes nothing and starts nothing.
    env: { LD_LIBRARY_PATH: '/var/lang/lib' },
    execArgv: [
      `--max-old-space-size=${Math.floor(memoryMb / 2)}`,
      '--permission',
      // Nothing else is readable, since the environment of this process is also in a file.
      ...[assetsDirectory, codeDirectory].map((directory) => `--allow-fs-read=${join(directory, '*')}`),
      '--allow-worker',
      '--disable-warning=SecurityWarning',
      '--disable-warning=ExperimentalWarning',
    ],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  }).on('error', () => undefined);
};

/** Bytes per message; a message is copied several times on its way. */
const pieceBytes = 4 * 1024 * 1024;

const sendMessage = (child: ChildProcess, message: Envelope<unknown> | Piece): Promise<void> =>
  new Promise((resolve, reject) => {
    child.send(message, (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });

/** Sends a request after its payload, which is sent in pieces. */
const sendRequest = async (child: ChildProcess, request: Envelope<unknown>, bytes: Uint8Array): Promise<void> => {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = bytes.subarray(at, at + pieceBytes);
    await sendMessage(child, { id: request.id, at, totalBytes: bytes.length, piece });
  }
  return sendMessage(child, request);
};

/**
 * Sends one request and returns its response. A process that exits or is too slow is gone afterwards, with all its
 * state.
 */
const send = <Result>(
  child: ChildProcess,
  request: Envelope<unknown>,
  bytes: Uint8Array,
  memoryMb: number,
  maxMs: number,
): Promise<Result> => {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const onMessage = (response: unknown): void => {
    // Cast: only the started process has the other end of the channel.
    const { id, body } = response as Envelope<Result>;
    if (id === request.id) resolve(body);
  };
  const onExit = (): void => reject(new BoundExceeded({ memoryMb }));
  const timer = setTimeout(() => {
    reject(new BoundExceeded({ seconds: maxMs / 1000 }));
    child.kill('SIGKILL');
  }, maxMs);
  child.on('message', onMessage).on('exit', onExit);
  child.ref();
  child.channel?.ref();
  sendRequest(child, request, bytes).catch(onExit);
  return promise.finally(() => {
    clearTimeout(timer);
    child.off('message', onMessage).off('exit', onExit);
    child.unref();
    child.channel?.unref();
  });
};

/**
 * Creates a process that handles untrusted bytes within bounds of time and memory, and that can be killed. It starts
 * with the first request, is kept between requests, and is replaced after it exits.
 */
export const guardedProcess = <Request, Result>(options: GuardedOptions): GuardedCall<Request, Result> => {
  const { timeoutSeconds, memoryMb } = options;
  let child: ChildProcess | undefined;
  let lastCall: Promise<unknown> = Promise.resolve();
  let calls = 0;
  const ensureProcess = (): ChildProcess => {
    if (child === undefined || !child.connected || child.exitCode !== null || child.killed) {
      child = startProcess(options);
    }
    return child;
  };
  // One request at a time, so that a kill affects only the request that exceeded its bounds.
  return (body, { bytes = new Uint8Array(), maxMs: givenMs = 0 } = {}) => {
    calls += 1;
    const request = { id: calls, body };
    const maxMs = Math.max(timeoutSeconds * 1000, givenMs);
    const result = lastCall.then(() => send<Result>(ensureProcess(), request, bytes, memoryMb, maxMs));
    lastCall = result.catch(() => undefined);
    return result;
  };
};
