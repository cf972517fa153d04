import type { Operation, Store } from 'dynalite/db/index.js';

interface Waiting {
  readonly operations: readonly Operation[];
  readonly written: PromiseWithResolvers<void>;
}

/**
 * Lets one write of LevelDB run at a time, with all operations that have come meanwhile. After a failed write every further
 * one fails: LevelDB would append it to its log behind a damaged record, and drop it at the next start.
 * @param onFailure Gets the error of the write that failed.
 */
export const commitInGroups = ({ db }: Store, onFailure: (error: unknown) => void): void => {
  const batch = db._batch.bind(db);
  let waiting: Waiting[] = [];
  let isRunning = false;
  let failure: { readonly error: unknown } | null = null;

  const writeGroup = async (group: readonly Waiting[]): Promise<void> => {
    try {
      if (failure !== null) throw failure.error;
      await batch(
        group.flatMap(({ operations }) => operations),
        {},
      );
      for (const { written } of group) written.resolve();
    } catch (error) {
      if (failure === null) onFailure(error);
      failure ??= { error };
      for (const { written } of group) written.reject(error);
    }
  };
  const run = async (): Promise<void> => {
    isRunning = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await writeGroup(group);
    }
    isRunning = false;
  };
  const write = (operations: readonly Operation[]): Promise<void> => {
    const written = Promise.withResolvers<void>();
    waiting.push({ operations, written });
    if (!isRunning) void run();
    return written.promise;
  };
  db._put = (key, value) => write([{ type: 'put', key, value }]);
  db._del = (key) => write([{ type: 'del', key }]);
  db._batch = (operations) => write(operations);
};
