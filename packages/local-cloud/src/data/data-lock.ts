import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A data directory that belongs to this process. */
export interface DataLock {
  /** Releases the lock. Everything in the directory has to be closed before. */
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

/** Whether another process has locked a file of SQLite. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === busy;

const takeLock = (directory: string, holderFile: string): DatabaseSync => {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(join(directory, 'lock.sqlite'), { timeout: 0 });
    db.exec('BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db?.close();
    const reason = isBusy(error)
      ? `is in use by another instance${readHolder(holderFile)}: stop it, or choose another folder with --data`
      : `cannot be written: ${error instanceof Error ? error.message : String(error)}: make it writable, or choose another folder with --data`;
    throw new Error(`${directory} ${reason}`, { cause: error });
  }
};

/**
 * Locks a data directory for this process alone. The operating system releases the lock when the process ends, so no
 * stale lock can remain.
 * @throws Error in one line if another process has the directory, or it cannot be written.
 */
export const lockData = (directory: string): DataLock => {
  const holderFile = join(directory, 'holder.pid');
  const db = takeLock(directory, holderFile);
  writeFileSync(holderFile, String(process.pid));
  return {
    release: () => {
      rmSync(holderFile, { force: true });
      db.close();
    },
  };
};
