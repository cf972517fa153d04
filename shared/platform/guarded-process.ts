import { type ChildProcess, fork } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where a guarded process runs, and how much one request may take. */
export interface GuardedOptions {
  /** Holds files that the process reads beside its own code. */
  readonly assetsDirectory: string;
  /** The module that runs in the process; its arguments are that directory and the megabytes of memory it may take. */
  readonly processPath: string;
  /** Holds that module and all that it imports. Default: its own directory, since it is a bundle. */
  readonly codeDirectory?: string;
  /** What any request may take; a caller may give one more time. */
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
}

type Bound = { readonly seconds: number } | { readonly memoryMb: number };

/** A request took more than its bounds, so its process was killed. */
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
  /** Bytes of any length that the request is about. */
  readonly bytes?: Uint8Array;
  /** More time than any request may take. */
  readonly maxMs?: number | undefined;
}

/** Sends requests to the process, one after the other. Throws `BoundExceeded`. */
export type GuardedCall<Request, Answer> = (request: Request, options?: CallOptions) => Promise<Answer>;

/** Requests and answers as they travel: each answer names its request. */
export interface Numbered<Body> {
  readonly id: number;
  readonly body: Body;
}

/** A piece of the bytes of the request that follows. It has no answer. */
export interface Piece {
  readonly id: number;
  readonly at: number;
  readonly totalBytes: number;
  readonly piece: Uint8Array;
}

/** Starts the process. It goes by real paths: Node asks for the right to read those, also where links lead to them. */
const startProcess = (options: GuardedOptions): ChildProcess => {
  const { memoryMb } = options;
  const processPath = realpathSync(options.processPath);
  const assetsDirectory = realpathSync(options.assetsDirectory);
  const codeDirectory = realpathSync(options.codeDirectory ?? dirname(processPath));
  // What goes wrong with the channel shows in the exit of the process as well.
  return fork(processPath, [assetsDirectory, String(memoryMb)], {
    cwd: dirname(processPath),
    // Bytes come from strangers: their readers see no credentials, write nothing and start nothing.
    // Lambda's runtime finds its libraries by this path, which is nowhere else of any effect.
    env: { LD_LIBRARY_PATH: '/var/lang/lib' },
    execArgv: [
      `--max-old-space-size=${Math.floor(memoryMb / 2)}`,
      '--permission',
      // And read nothing else: the environment of this process is in a file as well.
      ...[assetsDirectory, codeDirectory].map((directory) => `--allow-fs-read=${join(directory, '*')}`),
      '--allow-worker',
      '--disable-warning=SecurityWarning',
      '--disable-warning=ExperimentalWarning',
    ],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  }).on('error', () => undefined);
};

/** Bytes that are sent at a time: a message is copied more than once on its way. */
const pieceBytes = 4 * 1024 * 1024;

const sendMessage = (child: ChildProcess, message: Numbered<unknown> | Piece): Promise<void> =>
  new Promise((resolve, reject) => {
    child.send(message, (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });

/** Sends a request, and before it its bytes in pieces. */
const sendRequest = async (child: ChildProcess, request: Numbered<unknown>, bytes: Uint8Array): Promise<void> => {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = bytes.subarray(at, at + pieceBytes);
    await sendMessage(child, { id: request.id, at, totalBytes: bytes.length, piece });
  }
  return sendMessage(child, request);
};

/** Sends one request. A process that dies or is too slow is gone afterwards, and so is what the request made of it. */
const send = <Answer>(
  child: ChildProcess,
  request: Numbered<unknown>,
  bytes: Uint8Array,
  memoryMb: number,
  maxMs: number,
): Promise<Answer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const onMessage = (answer: unknown): void => {
    // Only the process that was started holds the other end of the channel.
    const { id, body } = answer as Numbered<Answer>;
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
 * A process that handles bytes of strangers within bounds of time and memory, and that can be killed. It is started with the
 * first request, kept between requests, and replaced after it died.
 */
export const guardedProcess = <Request, Answer>(options: GuardedOptions): GuardedCall<Request, Answer> => {
  const { timeoutSeconds, memoryMb } = options;
  let child: ChildProcess | undefined;
  let lastCall: Promise<unknown> = Promise.resolve();
  let calls = 0;
  const living = (): ChildProcess => {
    if (child === undefined || !child.connected || child.exitCode !== null || child.killed) {
      child = startProcess(options);
    }
    return child;
  };
  // One after the other, so that a kill takes nothing but the request that deserves it.
  return (body, { bytes = new Uint8Array(), maxMs: givenMs = 0 } = {}) => {
    calls += 1;
    const request = { id: calls, body };
    const maxMs = Math.max(timeoutSeconds * 1000, givenMs);
    const answer = lastCall.then(() => send<Answer>(living(), request, bytes, memoryMb, maxMs));
    lastCall = answer.catch(() => undefined);
    return answer;
  };
};
