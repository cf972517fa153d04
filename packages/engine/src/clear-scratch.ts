import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Prefix of the names of LanceDB's temporary directories. */
const prefix = '.tmp';

/**
 * Removes files that the engine left in the temporary directory. Every build of a vector index leaves its sorted data
 * there (https://github.com/lance-format/lance/issues/8992), and so does a run that was killed. Lambda keeps the
 * directory as long as the function's environment, so it would fill up. Call it only while the engine is idle and if
 * the directory belongs to the function alone.
 */
export const clearScratch = async (): Promise<void> => {
  const directory = tmpdir();
  const found = await readdir(directory, { withFileTypes: true });
  for (const { name } of found.filter((entry) => entry.isDirectory() && entry.name.startsWith(prefix))) {
    const path = join(directory, name);
    // An empty directory may belong to an open session, which works in it.
    if ((await readdir(path)).length > 0) await rm(path, { recursive: true });
  }
};
