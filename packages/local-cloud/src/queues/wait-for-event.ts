import type { EventEmitter } from 'node:events';

// A longer timer would fire at once. The caller waits again after this one.
const maxTimerMs = 2 ** 31 - 1;

/** Resolves at the next event of that name, after `waitMs` (`Infinity`: never by time), or when `signal` aborts. */
export const waitForEvent = (emitter: EventEmitter, name: string, signal: AbortSignal, waitMs: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = Number.isFinite(waitMs) ? setTimeout(() => done(), Math.min(waitMs, maxTimerMs)) : undefined;
    const done = (): void => {
      clearTimeout(timer);
      emitter.off(name, done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    emitter.on(name, done);
    signal.addEventListener('abort', done);
    if (signal.aborted) {
      done();
    }
  });
