import {
  copyFileSync,
  type Dirent,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { isMissingFile } from './missing-file.ts';
import { timestamp, type Clock } from '../../../../shared/kernel/clock.ts';

/** File of a copy that says when it was made. A directory without it is no complete copy. */
export const backupFile = 'backup.json';

/** Writes a copy of an open database to a file that does not exist. */
export type CopyDatabase = (file: string) => void;

/** Files of other processes, of this process, or of no use in a copy. */
const leftOut = /^(?:run|holder\.pid|lock\.sqlite.*|functions\.log.*|\.copy|.*\.sqlite(?:-.*)?)$/;

/** Folder in the data directory that becomes the copy. */
const stagingName = '.copy';

/** Data directories that are being copied. */
const copying = new Set<string>();

const linkFile = (from: string, to: string): void => {
  try {
    linkSync(from, to);
  } catch (error) {
    // A function has removed the file. Nothing refers to it, or the kept version of an index would have kept it.
    if (isMissingFile(error)) return;
    // Another file system, or one without hard links.
    copyFileSync(from, to);
  }
};

/** Returns the entries of a directory; none if a function has removed it. */
const entriesOf = (directory: string): readonly Dirent[] => {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if (isMissingFile(error)) return [];
    throw error;
  }
};

/** Links all files of a directory, which are never changed in place. Those of the data directory itself are copied. */
const linkFiles = (from: string, to: string, take = linkFile): void => {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const entry of entriesOf(from)) {
    if (leftOut.test(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkFiles(source, target);
    else if (entry.isFile()) take(source, target);
  }
};

/** @throws Error in one line if a copy cannot be written to this directory. */
const checkTarget = (target: string, dataDirectory: string): void => {
  if (existsSync(target)) throw new Error(`${target} exists: give the path of a new folder`);
  const path = relative(dataDirectory, target);
  // On another drive of Windows, the path is absolute.
  if (!path.startsWith('..') && !isAbsolute(path))
    throw new Error(`${target} is in the data directory: give the path of a folder outside of it`);
};

/**
 * Copies a data directory that is in use to `target`. Meanwhile this thread serves no request, so that the copy has the
 * state of one moment, as after a `kill -9`. A function may write a file of an index in that moment, but no table refers to
 * it yet. Files are hard links first. If `target` is on another disk, they are copied after that.
 * @param databases Databases by their file in the data directory.
 * @throws Error in one line if the copy cannot be written.
 */
export const backUp = async (options: {
  readonly dataDirectory: string;
  readonly target: string;
  readonly databases: ReadonlyMap<string, CopyDatabase>;
  readonly clock: Clock;
}): Promise<void> => {
  const { dataDirectory, databases, clock } = options;
  const target = resolve(options.target);
  checkTarget(target, dataDirectory);
  if (copying.has(dataDirectory)) throw new Error('another copy is being made: wait until it is there');
  copying.add(dataDirectory);
  const staging = join(dataDirectory, stagingName);
  try {
    // Of a copy that a crash has interrupted.
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging, { mode: 0o700 });
    for (const [file, copyTo] of databases) {
      mkdirSync(dirname(join(staging, file)), { recursive: true, mode: 0o700 });
      copyTo(join(staging, file));
    }
    linkFiles(dataDirectory, staging, copyFileSync);
    // All above is one moment, and what follows may take time.
    mkdirSync(dirname(target), { recursive: true });
    await rename(staging, target).catch(() =>
      cp(staging, target, { recursive: true, errorOnExist: true, force: false }),
    );
    writeFileSync(join(target, backupFile), `${JSON.stringify({ created_at: timestamp(clock) })}\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the copy to ${target} failed: ${reason}`, { cause: error });
  } finally {
    await rm(staging, { recursive: true, force: true });
    copying.delete(dataDirectory);
  }
};
