/**
 * Node.js runtime of one function, as in Lambda. Runs in a process or in a thread of its own, loads the handler, then calls
 * it once per invocation. Receives `InvocationRequest`s and sends `SandboxMessage`s (messages.ts). Plain JavaScript, because
 * stripping types would cost each of them 100 ms and 15 MB.
 */
/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return -- nothing here has types */
import { mkdirSync, writeSync } from 'node:fs';
import { createRequire, enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { setImmediate } from 'node:timers';
import { parentPort } from 'node:worker_threads';

const readEnvironment = (name) => process.env[name] ?? '';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const send = (message) => (parentPort === null ? process.send?.(message) : parentPort.postMessage(message));

/**
 * Output that has not been sent. It goes with the response, or alone at the end of a turn: a message of its own for each line
 * would cost more than the line.
 */
let unsent = [];

const takeUnsent = () => {
  const output = unsent;
  unsent = [];
  return output;
};

const flush = () => {
  if (unsent.length > 0) send({ kind: 'output', output: takeUnsent() });
};

/** Replaces the write of a stream by one that keeps text for `flush`. */
const collect = (stream) => {
  process[stream].write = (chunk, encoding, done = encoding) => {
    if (unsent.length === 0) setImmediate(flush);
    unsent.push({ stream, text: typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString() });
    if (typeof done === 'function') process.nextTick(done);
    return true;
  };
};
collect('stdout');
collect('stderr');
// A process that exits sends no more messages, but its pipes are still read.
process.once('exit', () => {
  if (parentPort === null) for (const { stream, text } of takeUnsent()) writeSync(stream === 'stdout' ? 1 : 2, text);
  else flush();
});

const faultOf = (error) =>
  error instanceof Error
    ? { errorType: error.name, errorMessage: error.message, trace: error.stack?.split('\n') ?? [] }
    : { errorType: typeof error, errorMessage: String(error) };

const loadHandler = () => {
  const [file, name] = readEnvironment('_HANDLER').split('.');
  const load = createRequire(join(readEnvironment('LAMBDA_TASK_ROOT'), 'index.cjs'));
  const handler = load(`./${file}.cjs`)[name];
  if (typeof handler !== 'function') {
    throw Object.assign(new Error(`${readEnvironment('_HANDLER')} is undefined or not exported`), {
      name: 'Runtime.HandlerNotFound',
    });
  }
  return handler;
};

const contextOf = ({ requestId, functionArn }, endsAt) => ({
  callbackWaitsForEmptyEventLoop: true,
  functionName: readEnvironment('AWS_LAMBDA_FUNCTION_NAME'),
  functionVersion: readEnvironment('AWS_LAMBDA_FUNCTION_VERSION'),
  invokedFunctionArn: functionArn,
  memoryLimitInMB: readEnvironment('AWS_LAMBDA_FUNCTION_MEMORY_SIZE'),
  awsRequestId: requestId,
  logGroupName: readEnvironment('AWS_LAMBDA_LOG_GROUP_NAME'),
  logStreamName: readEnvironment('AWS_LAMBDA_LOG_STREAM_NAME'),
  getRemainingTimeInMillis: () => Math.max(0, Math.floor(endsAt - performance.now())),
});

// Runs after which nearly all code has been compiled. A flush costs a millisecond or more.
const flushAfterRuns = new Set([1, 10, 100]);
let runs = 0;

/** As `preciseNowMs` of the trace. */
const preciseNowMs = () => performance.timeOrigin + performance.now();

const run = async (handler, request) => {
  const startMs = preciseNowMs();
  // A monotonic clock, like that of the host's timer, which kills the run.
  const endsAt = performance.now() + request.deadlineMs - Date.now();
  const end = (outcome) => send({ ...outcome, output: takeUnsent(), span: { startMs, endMs: preciseNowMs() } });
  try {
    const result = await handler(JSON.parse(request.payload), contextOf(request, endsAt));
    end({ kind: 'done', payload: JSON.stringify(result) ?? 'null' });
  } catch (error) {
    end({ kind: 'failed', fault: faultOf(error) });
  }
  // The host ends idle processes with SIGKILL, which would lose the compile cache of the next process.
  runs += 1;
  if (flushAfterRuns.has(runs)) setImmediate(() => flushCompileCache());
};

/** Makes the directory of the sandbox its temporary directory. The host removes it when the sandbox ends. */
const useOwnDirectory = () => {
  const directory = process.argv[2];
  try {
    mkdirSync(directory, { recursive: true });
  } catch {
    // On a full disk. Runs that need no files can go on.
    return;
  }
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = directory;
};

const onRequest = (handler) => (request) => void run(handler, request);

if (parentPort === null) {
  process.argv[2] = join(process.argv[2], String(process.pid));
  // The channel closes when the host ends. The process must not write after that.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // Ctrl-C signals every process of a terminal, but the host lets runs end first.
  process.on('SIGINT', () => {});
} else {
  const cache = readEnvironment('NODE_COMPILE_CACHE');
  // An empty path would be the present folder.
  if (cache !== '') enableCompileCache(cache);
  // A crash of native code ends the process with all its threads, so the host runs this function apart from now on.
  const dlopen = process.dlopen.bind(process);
  process.dlopen = (...arguments_) => {
    send({ kind: 'native', file: arguments_[1] });
    return dlopen(...arguments_);
  };
}
delete process.env['NODE_COMPILE_CACHE'];

try {
  useOwnDirectory();
  const handler = loadHandler();
  if (parentPort === null) process.on('message', onRequest(handler));
  else parentPort.on('message', onRequest(handler));
  send({ kind: 'ready' });
} catch (error) {
  send({ kind: 'initFailed', fault: faultOf(error) });
}
