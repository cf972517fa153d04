/**
 * Node.js runtime of one function, as in Lambda. Runs in a process of its own, loads the handler, then calls it once per
 * invocation. Receives `InvocationRequest`s and sends `ProcessMessage`s (messages.ts). Plain JavaScript, because stripping
 * types would cost every process 100 ms and 15 MB.
 */
/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return -- nothing here has types */
import { mkdirSync } from 'node:fs';
import { createRequire, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { setImmediate } from 'node:timers';

const readEnvironment = (name) => process.env[name] ?? '';

const send = (message) => {
  process.send?.(message);
};

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

const run = async (handler, request) => {
  // A monotonic clock, like that of the host's timer, which kills the run.
  const endsAt = performance.now() + request.deadlineMs - Date.now();
  try {
    const result = await handler(JSON.parse(request.payload), contextOf(request, endsAt));
    send({ kind: 'done', payload: JSON.stringify(result) ?? 'null' });
  } catch (error) {
    send({ kind: 'failed', fault: faultOf(error) });
  }
  // The host ends idle processes with SIGKILL, which would lose the compile cache of the next process.
  runs += 1;
  if (flushAfterRuns.has(runs)) setImmediate(() => flushCompileCache());
};

// The channel closes when the host ends. The process must not write after that.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Ctrl-C signals every process of a terminal, but the host lets runs end first.
process.on('SIGINT', () => {});
delete process.env['NODE_COMPILE_CACHE'];

/** Makes the directory of the process its temporary directory. The host removes it when the process ends. */
const useOwnDirectory = () => {
  const directory = join(process.argv[2], String(process.pid));
  try {
    mkdirSync(directory, { recursive: true });
  } catch {
    // On a full disk. Runs that need no files can go on.
    return;
  }
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = directory;
};

try {
  useOwnDirectory();
  const handler = loadHandler();
  process.on('message', (request) => void run(handler, request));
  send({ kind: 'ready' });
} catch (error) {
  send({ kind: 'initFailed', fault: faultOf(error) });
}
