import type { Logger } from '../kernel/log.ts';

/**
 * Registers a function that runs once when the request ends. `succeeded` is true if its response is complete and fits the
 * payload limit. If such a function throws, the request fails.
 */
export type OnEnd = (end: (succeeded: boolean) => Promise<void>) => void;

/** End of one request. */
export interface RequestEnd {
  readonly onEnd: OnEnd;
  /** Runs the registered functions concurrently, each once. Those of a request without success only log their errors. */
  readonly run: (succeeded: boolean) => Promise<void>;
}

/** Opens the end of a request. A function that is registered after it runs at once, as without success. */
export const openRequestEnd = (log: Logger, requestId: string): RequestEnd => {
  const ends: ((succeeded: boolean) => Promise<void>)[] = [];
  let isOver = false;
  const undo = async (end: (succeeded: boolean) => Promise<void>): Promise<void> => {
    await end(false).catch((error: unknown) => log.error('request.end.failed', { request_id: requestId, error }));
  };
  return {
    onEnd: (end) => {
      if (isOver) void undo(end);
      else ends.push(end);
    },
    run: async (succeeded) => {
      isOver = true;
      await Promise.all(ends.splice(0).map((end) => (succeeded ? end(true) : undo(end))));
    },
  };
};
