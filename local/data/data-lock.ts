import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A data directory that belongs to this process. */
export interface DataLock {
  /** The last process that had it ended without giving it back. */
  readonly afterCrash: boolean;
  /** Says that nothing of an earlier crash is left; without it the next holder still hears of the crash. */
  readonly markRepaired: () => void;
  /** Gives it back once everything in the directory is closed. */
  readonly release: () => void;
}

const readHolder = (file: string): string => {
  try {
    return ` (process ${readFileSync(file, 'utf8')})`;
  } catch {
    return '';
  }
};

// Source: SQLite, "Result codes", SQLITE_BUSY.
const busy = 5;

const isBusy = (error: unknown): boolean => error instanceof Error && 'errcode' in error && error.errcode === busy;

const takeLock = (directory: string, holderFile: string): DatabaseSync => {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(join(directory, 'lock.sqlite'), { timeout: 0 });
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db?.close();
    const reason = isBusy(error)
      ? `is in use by another instance${readHolder(holderFile)}`
      : `cannot be written: ${error instanceof Error ? error.message : String(error)}`;
    throw new Error(`${directory} ${reason}`, { cause: error });
  }
};

/**
 * Takes a data directory for this process alone. The operating system drops the lock with the process, however it ends,
 * so nothing stale can stand in the way.
 * @throws Error in one line when another process has the directory, or it cannot be written.
 */
export const lockData = (directory: string): DataLock => {
  const holderFile = join(directory, 'holder.pid');
  const db = takeLock(directory, holderFile);
  const afterCrash = readHolder(holderFile) !== '';
  writeFileSync(holderFile, String(process.pid));
  let repaired = !afterCrash;
  return {
    afterCrash,
    markRepaired: () => {
      repaired = true;
    },
    release: () => {
      if (repaired) {
        rmSync(holderFile, { force: true });
      }
      db.close();
    },
  };
};
