/**
 * Main thread of a process that several functions share. Each function has a thread of its own, with its own environment and
 * heap limit. Receives `SharedRequest`s and sends `SharedMessage`s (messages.ts), and runs no code of functions itself.
 */
/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access -- nothing here has types */
/* oxlint-disable unicorn/require-post-message-target-origin -- a thread has no origin */
import process from 'node:process';
import { Worker } from 'node:worker_threads';

const threads = new Map();
const send = (message) => process.send?.(message);

/** Memory in MB up to which a function has a small young generation. */
const maxSmallMb = 1_024;

/** Limits in MB of the young generation, three semi-spaces. 20 small functions took 100 MB less with 3 than with 12. */
const [smallYoungMb, largeYoungMb] = [3, 48];

const start = ({ thread, environment, memoryMb, directory, name }) => {
  const worker = new Worker(new URL('bootstrap.mjs', import.meta.url), {
    argv: [directory],
    env: environment,
    name,
    resourceLimits: {
      maxOldGenerationSizeMb: memoryMb,
      maxYoungGenerationSizeMb: memoryMb <= maxSmallMb ? smallYoungMb : largeYoungMb,
    },
  });
  threads.set(thread, worker);
  worker.on('message', (message) => send({ thread, message }));
  worker.on('error', (error) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    send({ thread, message: { kind: 'output', output: [{ stream: 'stderr', text: `${text}\n` }] } });
  });
  worker.once('exit', (code) => {
    threads.delete(thread);
    send({ thread, exitCode: code });
  });
};

// The channel closes when the host ends. No function may write after that.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Ctrl-C signals every process of a terminal, but the host lets runs end first.
process.on('SIGINT', () => {});
process.on('message', ({ kind, ...request }) => {
  const worker = threads.get(request.thread);
  if (kind === 'start') start(request);
  else if (kind === 'run') worker?.postMessage(request.request);
  else void worker?.terminate();
});
