import { Worker } from 'node:worker_threads';

// A parser that runs away leaves the main thread no time to look at itself.
const code = `
  const { workerData } = require('node:worker_threads');
  const parent = process.ppid;
  setInterval(() => {
    if (process.memoryUsage.rss() > workerData || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }, 50);
`;

/**
 * Kills this process as soon as it takes more than `mostBytes` of memory, or when its parent is gone. The heap has a
 * bound of its own; this one counts buffers and WebAssembly as well.
 */
export const watchMemory = (mostBytes: number): void => {
  new Worker(code, { eval: true, workerData: mostBytes, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();
};
