import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { openError } from '../data/open-error.ts';

/** Number of the last durable commit, in a file beside the database. */
export interface CommitMark {
  /** Counts a commit that is on disk. */
  advance(): void;
  close(): void;
}

const markBytes = 8;

/**
 * Opens the mark of a database whose last commit is `number`. SQLite reads its log up to the first damaged record, so it
 * drops the commits after it silently. The mark reveals them, since it is written between a commit and its acknowledgement.
 * @throws Error in one line if commits are missing.
 */
export const openCommitMark = (file: string, number: number): CommitMark | undefined => {
  if (file === ':memory:') return undefined;
  const path = `${file}-commits`;
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  const bytes = Buffer.alloc(markBytes);
  const marked = readSync(descriptor, bytes, 0, markBytes, 0) === markBytes ? bytes.readDoubleLE() : 0;
  if (marked > number) {
    closeSync(descriptor);
    const lost = `the last ${marked - number} acknowledged changes are missing`;
    throw openError(file, new Error(`${lost}: restore a copy, or remove ${path} to continue without them`));
  }
  let last = number;
  return {
    advance: () => {
      last += 1;
      bytes.writeDoubleLE(last);
      try {
        writeSync(descriptor, bytes, 0, markBytes, 0);
      } catch {
        // A mark that is behind only misses a loss.
      }
    },
    close: () => closeSync(descriptor),
  };
};
