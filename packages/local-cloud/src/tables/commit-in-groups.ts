import type { Operation, Store } from 'dynalite/db/index.js';

interface Waiting {
  readonly operations: readonly Operation[];
  readonly written: PromiseWithResolvers<void>;
}

/** Writes of a store that one failed write has ended. */
export interface GroupCommits {
  /** Returns the operations since the failure that were kept in memory. */
  readonly kept: () => readonly Operation[];
}

/** Returns a function that passes operations to `writeGroup`, which runs for one group at a time and does not throw. */
const inGroups = (writeGroup: (group: readonly Waiting[]) => Promise<void>) => {
  let waiting: Waiting[] = [];
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await writeGroup(group);
    }
    isRunning = false;
  };
  return (operations: readonly Operation[]): Promise<void> => {
    const written = Promise.withResolvers<void>();
    waiting.push({ operations, written });
    if (!isRunning) void run();
    return written.promise;
  };
};

/**
 * Lets one write of LevelDB run at a time, with all operations that have come meanwhile. After a failed write every further
 * one fails: LevelDB would append it to its log behind a damaged record, and drop it at the next start. Only operations on
 * keys with a prefix of `counters` are then kept in memory, because each read is counted.
 * @param onFailure Gets the error of the write that failed.
 */
export const commitInGroups = (
  { db }: Store,
  counters: readonly string[],
  onFailure: (error: unknown) => void,
): GroupCommits => {
  const batch = db._batch.bind(db);
  const read = db._getSync.bind(db);
  const kept = new Map<unknown, Operation>();
  let failure: { readonly error: unknown } | null = null;

  const isCounter = ({ key }: Operation): boolean => counters.some((prefix) => String(key).startsWith(prefix));
  const writeOne = ({ operations, written }: Waiting, error: unknown): void => {
    if (operations.every(isCounter)) {
      for (const operation of operations) kept.set(operation.key, operation);
      written.resolve();
    } else written.reject(error);
  };
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
      for (const one of group) writeOne(one, error);
    }
  };
  const write = inGroups(writeGroup);
  db._put = (key, value) => write([{ type: 'put', key, value }]);
  db._del = (key) => write([{ type: 'del', key }]);
  db._batch = (operations) => write(operations);
  db._getSync = (key, options) => (kept.has(key) ? kept.get(key)?.value : read(key, options));
  return { kept: () => [...kept.values()] };
};
