import { Worker } from 'node:worker_threads';
import type { Envelope, Piece } from './guarded-process.ts';

// A runaway parser blocks the main thread, so a worker thread measures the memory.
const code = `
  const { workerData } = require('node:worker_threads');
  const parent = process.ppid;
  setInterval(() => {
    if (process.memoryUsage.rss() > workerData || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }, 50);
`;

/**
 * Kills this process when it exceeds `maxBytes` of memory or its parent has exited. The heap has its own limit; this
 * one includes buffers and WebAssembly.
 */
const watchMemory = (maxBytes: number): void => {
  new Worker(code, { eval: true, workerData: maxBytes, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();
};

/**
 * Serves the requests of the parent of a guarded process, until the parent exits or the process exceeds its memory. The
 * payload of a request arrives before it in pieces.
 * @param handle Declares the type of its requests.
 */
export const serveGuarded = (
  maxMemoryMb: number,
  handle: (request: never, bytes: Uint8Array) => Promise<unknown>,
): void => {
  watchMemory(maxMemoryMb * 1024 * 1024);
  let received: { readonly id: number; readonly bytes: Uint8Array } | undefined;
  process.on('message', (message) => {
    // Cast: only the parent, which is of the same build, has the other end of the channel.
    const part = message as Envelope<never> | Piece;
    const { id } = part;
    if ('piece' in part) {
      if (received?.id !== id) received = { id, bytes: new Uint8Array(part.totalBytes) };
      received.bytes.set(part.piece, part.at);
      return;
    }
    const bytes = received?.id === id ? received.bytes : new Uint8Array();
    received = undefined;
    void handle(part.body, bytes).then((body) => process.send?.({ id, body }));
  });
  process.on('disconnect', () => process.exit(0));
};
