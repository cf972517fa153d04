import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { diskReasonOf } from './disk-watch.ts';

/** Creates the first of the missing folders above a path. A recursive creation hides why it failed. */
const makeFirstMissing = (path: string): void => {
  const parent = dirname(path);
  if (existsSync(parent)) mkdirSync(path);
  else makeFirstMissing(parent);
};

/**
 * Creates a data directory with its parents, unless it exists.
 * @throws Error in one line that says why that is not possible.
 */
export const makeDirectory = (directory: string): void => {
  if (existsSync(directory)) {
    if (!statSync(directory).isDirectory())
      throw new Error(`${directory} is a file: give the path of a folder with --data`);
    return;
  }
  try {
    while (!existsSync(directory)) makeFirstMissing(directory);
  } catch (error) {
    throw new Error(`${directory} cannot be created: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
};

/** Returns the error of a start. If the disk has caused it, it names the data directory. */
export const startError = (directory: string, error: unknown): unknown => {
  const reason = diskReasonOf(error);
  const isNamed = error instanceof Error && error.message.includes(directory);
  if (reason === null || isNamed) return error;
  const advice = 'free or repair it, or choose another folder with --data';
  return new Error(`${directory} cannot be written: ${reason}: ${advice}`, { cause: error });
};
