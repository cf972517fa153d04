import { fork, type ChildProcess } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CutOtherwise, UnreadableFile, type Extractor, type Part, type SourceFile } from './port.ts';
import type { ReadAnswer, ReadRequest } from './reader-process.ts';

/** Where files are read, and how much that may take. */
export interface ExtractorOptions {
  /** Holds the files of `readerFiles`: `node_modules`, or where they lie beside a bundle. */
  readonly assetsDirectory: string;
  /** The module that runs in the process of its own: it calls `serveReader` with its arguments. */
  readonly processPath: string;
  /** Holds that module and all that it imports. Default: where it lies, since it is a bundle. */
  readonly codeDirectory?: string;
  /** What any file may take; whoever reads one may give it more. */
  readonly timeoutSeconds?: number;
  readonly memoryMb?: number;
}

type Question = ReadRequest extends infer Request
  ? Request extends { readonly task: 'piece' }
    ? never
    : Omit<Request, 'id'>
  : never;

interface Bounds {
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
}

const tooSlow = (mostMs: number): UnreadableFile =>
  new UnreadableFile(
    `The file could not be read within ${mostMs < 1000 ? mostMs / 1000 : Math.round(mostMs / 1000)} seconds`,
  );

const tooLarge = ({ memoryMb }: Bounds): UnreadableFile =>
  new UnreadableFile(`The file could not be read within ${memoryMb} MB of memory`);

/** Starts the process. It goes by real paths: Node asks for the right to read those, whatever links lead to them. */
const startProcess = (options: ExtractorOptions, { memoryMb }: Bounds): ChildProcess => {
  const processPath = realpathSync(options.processPath);
  const assetsDirectory = realpathSync(options.assetsDirectory);
  const codeDirectory = realpathSync(options.codeDirectory ?? dirname(processPath));
  // What goes wrong with the channel shows in the exit of the process as well.
  return fork(processPath, [assetsDirectory, String(memoryMb)], {
    cwd: dirname(processPath),
    // Files come from strangers: their readers see no credentials, write nothing and start nothing.
    // Lambda's runtime finds its libraries by this path, which is nowhere else of any effect.
    env: { LD_LIBRARY_PATH: '/var/lang/lib' },
    execArgv: [
      `--max-old-space-size=${Math.floor(memoryMb / 2)}`,
      '--permission',
      // And read nothing else: the environment of this process stands in a file as well.
      ...[assetsDirectory, codeDirectory].map((directory) => `--allow-fs-read=${join(directory, '*')}`),
      '--allow-worker',
      '--disable-warning=SecurityWarning',
      '--disable-warning=ExperimentalWarning',
    ],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  }).on('error', () => undefined);
};

/** Bytes of a file that are sent at a time: a message is copied more than once on its way. */
const pieceBytes = 4 * 1024 * 1024;

const sendMessage = (child: ChildProcess, message: ReadRequest): Promise<void> =>
  new Promise((resolve, reject) => {
    child.send(message, (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });

/** Sends a request, and before it the bytes of a large file in pieces. */
const sendRequest = async (child: ChildProcess, request: ReadRequest): Promise<void> => {
  if (!('file' in request) || request.file.bytes.length <= pieceBytes) return sendMessage(child, request);
  const { id, file } = request;
  const { bytes, ...about } = file;
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = bytes.subarray(at, at + pieceBytes);
    await sendMessage(child, { id, task: 'piece', at, totalBytes: bytes.length, bytes: piece });
  }
  return sendMessage(child, { ...request, file: { ...about, bytes: new Uint8Array() } });
};

/** Asks once. A process that dies or is too slow is gone afterwards, and so is what the file made of it. */
const ask = (child: ChildProcess, request: ReadRequest, bounds: Bounds, givenMs = 0): Promise<ReadAnswer> => {
  const mostMs = Math.max(bounds.timeoutSeconds * 1000, givenMs);
  const { promise, resolve, reject } = Promise.withResolvers<ReadAnswer>();
  const onMessage = (answer: unknown): void => {
    // Only the process that was started holds the other end of the channel.
    const received = answer as ReadAnswer;
    if (received.id === request.id) resolve(received);
  };
  const onExit = (): void => reject(tooLarge(bounds));
  const timer = setTimeout(() => {
    reject(tooSlow(mostMs));
    child.kill('SIGKILL');
  }, mostMs);
  child.on('message', onMessage).on('exit', onExit);
  child.ref();
  child.channel?.ref();
  sendRequest(child, request).catch(() => reject(tooLarge(bounds)));
  return promise.finally(() => {
    clearTimeout(timer);
    child.off('message', onMessage).off('exit', onExit);
    child.unref();
    child.channel?.unref();
  });
};

/**
 * Reads files of every format, each call within bounds of time and memory, in a process of its own that can be killed.
 * The process is started with the first file, kept between calls, and replaced after it died.
 */
export const createExtractor = (options: ExtractorOptions): Extractor => {
  const bounds: Bounds = { timeoutSeconds: options.timeoutSeconds ?? 45, memoryMb: options.memoryMb ?? 1_536 };
  let child: ChildProcess | undefined;
  let lastCall: Promise<unknown> = Promise.resolve();
  let calls = 0;
  const living = (): ChildProcess => {
    if (child === undefined || !child.connected || child.exitCode !== null || child.killed) {
      child = startProcess(options, bounds);
    }
    return child;
  };
  // One after the other, so that a kill takes nothing but the file that deserves it.
  const call = (question: Question, mostMs?: number): Promise<ReadAnswer> => {
    calls += 1;
    const request = { ...question, id: calls };
    const answer = lastCall.then(() => ask(living(), request, bounds, mostMs));
    lastCall = answer.catch(() => undefined);
    return answer;
  };
  const refuse = (answer: ReadAnswer): never => {
    if (answer.task === 'unreadable') throw new UnreadableFile(answer.reason, answer.cause);
    if (answer.task === 'cut otherwise') throw new CutOtherwise();
    throw new Error(`the reader answered ${answer.task} to another question`);
  };
  const extracted = async (question: Question, mostMs?: number): Promise<readonly Part[]> => {
    const answer = await call(question, mostMs);
    return answer.task === 'extract' ? answer.result : refuse(answer);
  };
  const isEmpty = (file: SourceFile): boolean => file.bytes.length === 0;
  return {
    inspect: async (file, mostMs) => {
      if (isEmpty(file)) return { format: 'text', units: 0, paged: false, cut: '0', notes: [] };
      const answer = await call({ task: 'inspect', file }, mostMs);
      return answer.task === 'inspect' ? answer.result : refuse(answer);
    },
    extract: async (file, range, mostMs) => (isEmpty(file) ? [] : extracted({ task: 'extract', file, range }, mostMs)),
    extractSpan: (bytes, line, mostMs) => extracted({ task: 'extract span', bytes, line }, mostMs),
  };
};
