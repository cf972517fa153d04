import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../../shared/kernel/clock.ts';
import { dayMs } from '../../../../shared/kernel/durations.ts';
import { openError } from '../data/open-error.ts';
import { newId } from '../../../../shared/kernel/ids.ts';

/** Counts every run of every function across restarts, so that reported counters can be checked against it. */
export interface InvocationLedger {
  /** Records one run and the jobs that its event names. A full disk does not fail the run. */
  readonly record: (functionId: string, payload: string) => void;
  /** Runs by function id; with `jobId` only those whose event named that job. */
  readonly counts: (jobId: string | null) => Readonly<Record<string, number>>;
  /** Writes a copy to a file that does not exist. */
  readonly copyTo: (file: string) => void;
  readonly close: () => void;
}

/** Retention of counts, in milliseconds. A job's counters are checked soon after it ends, long before this. */
const keptMs = 30 * dayMs;

const jobIds = /\bjob_[0-9a-hjkmnp-tv-z]{26}\b/g;

// Rows with the job '' count all runs of a function.
const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS invocations (
    job_id TEXT NOT NULL,
    function_id TEXT NOT NULL,
    runs INTEGER NOT NULL,
    PRIMARY KEY (job_id, function_id)
  ) STRICT, WITHOUT ROWID;`;

/** Opens the counts kept in `file`, without those of jobs that are more than 30 days old. */
export const openInvocationLedger = (file: string, clock: Clock): InvocationLedger => {
  const db = new DatabaseSync(file);
  try {
    db.exec(schema);
  } catch (error) {
    db.close();
    throw openError(file, error);
  }
  const oldest = newId('job', new Date(clock.now().getTime() - keptMs));
  db.prepare("DELETE FROM invocations WHERE job_id > '' AND job_id < ?").run(oldest);
  const add = db.prepare(`
    INSERT INTO invocations (job_id, function_id, runs) VALUES (?, ?, 1)
    ON CONFLICT (job_id, function_id) DO UPDATE SET runs = runs + 1`);
  const read = db.prepare('SELECT function_id, runs FROM invocations WHERE job_id = ? ORDER BY function_id');
  return {
    record: (functionId, payload) => {
      try {
        db.exec('BEGIN');
        for (const jobId of new Set(['', ...(payload.match(jobIds) ?? [])])) add.run(jobId, functionId);
        db.exec('COMMIT');
      } catch {
        if (db.isTransaction) db.exec('ROLLBACK');
      }
    },
    counts: (jobId) =>
      Object.fromEntries(read.all(jobId ?? '').map((row) => [String(row['function_id']), Number(row['runs'])])),
    copyTo: (copy) => {
      db.prepare('VACUUM INTO ?').run(copy);
    },
    close: () => {
      db.close();
    },
  };
};
