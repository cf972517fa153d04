import { randomBytes } from 'node:crypto';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Free bytes below which the disk counts as full. */
const minFreeBytes = 16 * 1024 * 1024;

/** Bytes of the file whose writing shows that a disk takes data again: more than the log of any store. */
const probeBytes = 8 * 1024 * 1024;

const probeMs = 1_000;

/** Reasons for which a disk refuses data, by the codes and texts of Node.js, SQLite and the engine. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/ENOSPC|no space left on device|database or disk is full/i, 'the disk is full'],
  [/EDQUOT|disk quota exceeded/i, 'the disk quota is used up'],
  [/EFBIG|file too large/i, 'a file may not become larger'],
  [/EROFS|read-only file ?system|readonly database/i, 'the disk is read-only'],
  [/EIO\b|input\/output error|disk I\/O error/i, 'the disk reports an error'],
];

const reasonOf = (text: string): string | null => reasons.find(([pattern]) => pattern.test(text))?.[1] ?? null;

const textOf = (error: unknown): string =>
  error instanceof Error ? `${'code' in error ? String(error.code) : ''} ${error.message} ${textOf(error.cause)}` : '';

/** Returns why the disk refused data; null for an error with another cause. */
export const diskReasonOf = (error: unknown): string | null => reasonOf(textOf(error));

/** Knows whether the disk of a data directory takes data. */
export interface DiskWatch {
  /** One sentence on why the data cannot be written now; null if it can. */
  readonly problem: () => string | null;
  /** Notes a text of a log, such as a failed request of a function. */
  readonly noteText: (text: string) => void;
  /** Notes an error of a store. Returns whether the disk has caused it. */
  readonly note: (error: unknown) => boolean;
  readonly stop: () => void;
}

/** Throws if the disk takes no data. */
const probe = async (directory: string): Promise<void> => {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize < minFreeBytes) throw new Error('no space left on device');
  const file = join(directory, 'disk-probe');
  try {
    const handle = await open(file, 'w');
    try {
      await handle.writeFile(randomBytes(probeBytes));
      await handle.sync();
    } finally {
      await handle.close();
    }
  } finally {
    await rm(file, { force: true });
  }
};

/**
 * Watches the disk of a data directory. A failed write begins a problem, which `say` reports. It ends once a file of some
 * megabytes can be written, which is tried each second.
 */
export const watchDisk = (directory: string, say: (text: string) => void): DiskWatch => {
  let problem: string | null = null;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;

  const recover = async (): Promise<void> => {
    const before = failures;
    try {
      await probe(directory);
      if (failures === before) problem = null;
    } catch {
      // Still without space.
    }
    if (problem === null) say(`${directory} can be written again`);
    else plan();
  };
  const plan = (): void => {
    timer = setTimeout(() => void recover(), probeMs).unref();
  };
  const begin = (reason: string): void => {
    failures += 1;
    if (problem !== null) return;
    problem = `${directory} cannot be written: ${reason}`;
    say(`${problem}. Writes fail until that has changed. Reads continue.`);
    plan();
  };
  const noteText = (text: string): void => {
    const reason = reasonOf(text);
    if (reason !== null) begin(reason);
  };
  return {
    problem: () => problem,
    noteText,
    note: (error) => {
      const reason = diskReasonOf(error);
      if (reason !== null) begin(reason);
      return reason !== null;
    },
    stop: () => clearTimeout(timer),
  };
};
